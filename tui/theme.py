"""The two themes of the app. The only place where colours are written down."""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

DARK: Final = Theme(
    name="lockwarden-dark",
    primary="#7aa2f7",
    secondary="#bb9af7",
    accent="#7dcfff",
    success="#9ece6a",
    warning="#e0af68",
    error="#f7768e",
    foreground="#c0caf5",
    background="#16161e",
    surface="#1a1b26",
    panel="#24283b",
    dark=True,
    variables={
        "block-cursor-foreground": "#e6e9ff",
        "block-cursor-background": "#2c3a63",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": "#c0caf5",
        "block-cursor-blurred-background": "#262b44",
        "text-muted": "#8790b5",
        "border-blurred": "#3b4261",
    },
)
LIGHT: Final = Theme(
    name="lockwarden-light",
    primary="#2e5aac",
    secondary="#7847bd",
    accent="#00708f",
    success="#3f6b13",
    warning="#8a5a00",
    error="#b3254a",
    foreground="#2b2f42",
    background="#f4f5fa",
    surface="#ffffff",
    panel="#e1e4ef",
    dark=False,
    variables={
        "block-cursor-foreground": "#11131f",
        "block-cursor-background": "#b7c9f2",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": "#2b2f42",
        "block-cursor-blurred-background": "#dde4f5",
        "text-muted": "#5d6480",
        "border-blurred": "#b6bccf",
    },
)
THEMES: Final = (DARK, LIGHT)
SIXTEEN_COLOURS: Final = "ansi-dark"
"""What is used where a terminal has sixteen colours: the terminal's own."""
