"""The themes of the app. The only place where colours are written down.

Two have colours of their own. Two more take the terminal's sixteen, whatever those are there, so that nothing may be
told by them alone: what has the focus, the cursor and the keys that work are drawn by line and by reversed text
(`app.tcss`).
"""

from __future__ import annotations

from typing import Final

from textual.theme import BUILTIN_THEMES, Theme

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
_SIXTEEN: Final = {
    "border-blurred": "ansi_default",
    "text-muted": "ansi_default",
    "text-disabled": "ansi_default",
    "block-cursor-text-style": "reverse",
    "block-cursor-foreground": "ansi_default",
    "block-cursor-background": "ansi_default",
    "block-cursor-blurred-text-style": "underline",
    "input-cursor-text-style": "none",
}
ANSI_DARK: Final = Theme(
    name="ansi-dark",
    ansi=True,
    primary="ansi_bright_blue",
    secondary="ansi_cyan",
    warning="ansi_yellow",
    error="ansi_bright_red",
    success="ansi_green",
    accent="ansi_cyan",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    dark=True,
    variables={
        **_SIXTEEN,
        "ansi-background": "ansi_black",
        "ansi-foreground": "ansi_white",
        "input-cursor-background": "ansi_white",
        "input-cursor-foreground": "ansi_black",
    },
)
ANSI_LIGHT: Final = Theme(
    name="ansi-light",
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_magenta",
    warning="ansi_magenta",
    error="ansi_red",
    success="ansi_green",
    accent="ansi_blue",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    dark=False,
    variables={
        **_SIXTEEN,
        "ansi-background": "ansi_white",
        "ansi-foreground": "ansi_black",
        "input-cursor-background": "ansi_black",
        "input-cursor-foreground": "ansi_white",
        "scrollbar": "ansi_blue",
        "scrollbar-background": "ansi_white",
    },
)
THEMES: Final = (DARK, LIGHT, ANSI_DARK, ANSI_LIGHT)
"""Those of the sixteen colours stand in the place of Textual's own of these names."""


_LIGHT: Final = frozenset(each.name for each in THEMES if not each.dark) | {
    name for name, theme in BUILTIN_THEMES.items() if not theme.dark
}

THEME_NAMES: Final = ("dark", "light", *dict.fromkeys((*(each.name for each in THEMES), *BUILTIN_THEMES)))


def fitting_theme(name: str, *, light: bool, sixteen: bool) -> str:
    """The theme of a name, such as `dark`; for an empty one what fits a terminal's background.

    A terminal of sixteen colours has its own; of a theme's there is left whether it is light.
    """
    meant = {"dark": DARK.name, "light": LIGHT.name}.get(name, name) or (LIGHT if light else DARK).name
    if not sixteen:
        return meant
    return (ANSI_LIGHT if meant in _LIGHT else ANSI_DARK).name
