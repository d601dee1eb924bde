"""Where to ask and for which platforms: add and remove sources, pick platforms, run the audit again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.source_answers import SourceKind
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.platforms import Platform
from lockwarden.tui.render.advice import on_screen
from lockwarden.tui.render.prose import QUIET, hanging
from lockwarden.tui.render.source_lines import drawn_source, source_lines
from lockwarden.tui.render.text import lines, plain, spaced
from lockwarden.tui.screens.bindings import SOURCES_BINDINGS
from lockwarden.tui.screens.choice import Alternative, ChoiceScreen
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.screens.typing_ahead import TypingAhead
from lockwarden.tui.state.source_choice import PlatformMode, SourceChoice, known_platforms
from lockwarden.tui.widgets.key_line import KeyLine
from lockwarden.tui.widgets.line_input import LineInput, said_lines
from lockwarden.tui.widgets.notice import Notice
from lockwarden.tui.widgets.picker import Picker, VimList
from lockwarden.tui.widgets.repository_view import RepositoryView

_PLACES: Final = "direct, https://mirror/, oci://registry/{namespace}/{type}, or a folder"
_MIRRORS: Final = frozenset({SourceKind.NETWORK_MIRROR, SourceKind.FILESYSTEM_MIRROR, SourceKind.OCI_MIRROR})
_ASK: Final = Alternative("r", "Ask")
_DISCARD: Final = Alternative("y", "Discard")
_EVERYWHERE: Final = "and more until every locked hash is explained"


class SourcesScreen(SpeakingScreen):
    """Holds a draft; nothing changes before the audit is run again."""

    CSS_PATH = "sources.tcss"
    AUTO_FOCUS = "#sources"
    BINDINGS: ClassVar[list[BindingType]] = list(SOURCES_BINDINGS)

    def __init__(self, choice: SourceChoice, selected: ProviderAddress | None = None) -> None:
        """`selected` is the provider for which each source tells whether it is asked."""
        super().__init__()
        self._choice = self._in_use = choice
        self._selected = selected
        self._typing = TypingAhead(self, self._type)

    def compose(self) -> ComposeResult:
        """Sources, platforms, answers."""
        with VerticalScroll(id="body", can_focus=False):
            with Vertical(id="source-box", classes="box"):
                yield VimList(id="sources", markup=False, compact=True)
                yield RepositoryView(
                    self.lockwarden.setup.list_repositories, self._addresses, self.lockwarden.show_fault
                )
                with Horizontal(classes="line"):
                    yield Label("Add ")
                    yield LineInput(id="new-source", placeholder=_PLACES, compact=True, select_on_focus=False)
                yield Static(id="source-problem", classes="problem", markup=False)
            with Vertical(id="platform-box", classes="box"):
                yield Picker(id="mode", one=True)
                yield Picker(id="ticks", one=False)
                with Horizontal(classes="line", id="other"):
                    yield Label("Other ")
                    yield LineInput(id="new-platform", placeholder="os_arch, such as linux_arm64", compact=True)
                yield Static(id="platform-problem", classes="problem", markup=False)
        with Horizontal(id="answers"):
            yield Button("Run again", id="run")
            yield Button("Back", id="back")
        yield KeyLine()
        yield Notice()

    def _modes(self) -> Iterator[tuple[str, Content, bool]]:
        named = ", ".join(sorted(str(each) for each in self._choice.named))
        meanings = {
            PlatformMode.AUTO: f"{named}, {_EVERYWHERE}",
            PlatformMode.CURRENT: f"{self._choice.current} alone",
            PlatformMode.ALL: "every platform of each release",
            PlatformMode.CHOSEN: "those that are ticked below",
        }
        for mode in PlatformMode:
            told = spaced(Content.styled(f"{mode:<8}", "bold"), plain(meanings[mode]), gap=1)
            yield mode, told, mode is self._choice.mode

    def on_mount(self) -> None:
        """Begin with what is in use, and follow what the sources say."""
        for each in self.query(Input):
            each.cursor_blink = False
        self.query_one("#source-box").border_title = Content("Sources")
        self.query_one("#platform-box").border_title = Content("Platforms")
        self.watch(self.app, "session", self._draw_sources, init=False)
        self._draw_platforms()

    def on_resize(self) -> None:
        """Fit the lines to another width."""
        self._draw_sources()

    def _draw_sources(self) -> None:
        session = self.lockwarden.session
        listed = self.query_one("#sources", OptionList)
        at = listed.highlighted
        width = max(20, self.size.width - 6)
        told = source_lines(self._choice, session.sources, session.review, self._selected)
        name = "" if self._selected is None else f"{self._selected.namespace}/{self._selected.type}"
        listed.set_options(Option(drawn_source(line, width, name)) for line in told)
        if listed.option_count:
            listed.highlighted = min(at or 0, listed.option_count - 1)
        self._show_repositories()

    def _addresses(self) -> tuple[ProviderAddress, ...]:
        review = self.lockwarden.session.review
        return () if review is None else tuple(each.address for each in review.providers)

    @property
    def _chosen(self) -> SourceSpec | None:
        """The source that the cursor is on."""
        place = self.query_one("#sources", OptionList).highlighted
        return self._choice.sources[place] if place is not None and place < len(self._choice.sources) else None

    @on(OptionList.OptionHighlighted, "#sources")
    def _show_repositories(self) -> None:
        self.query_one(RepositoryView).show_source(self._chosen)
        self.refresh_bindings()

    @on(OptionList.OptionSelected, "#sources")
    def _ask_again(self) -> None:
        self.query_one(RepositoryView).ask_again()

    def _draw_platforms(self) -> None:
        self.query_one("#mode", Picker).show(self._modes())
        known = known_platforms(self.lockwarden.session.review, self._choice)
        ticks = ((str(each), plain(str(each)), each in self._choice.chosen) for each in known)
        self.query_one("#ticks", Picker).show(ticks)
        chosen = self._choice.mode is PlatformMode.CHOSEN
        self.query_one("#ticks").display = chosen
        self.query_one("#other").display = chosen

    def _show_problem(self, where: str, message: str, hint: str = "") -> None:
        rows = [*hanging(Content("✗ "), plain(on_screen(message), "$text-error"), max(20, self.size.width - 6))]
        rows += [*hanging(Content("  "), plain(on_screen(hint), QUIET), max(20, self.size.width - 6))] if hint else []
        problem = self.query_one(where, Static)
        problem.update(lines(*rows))
        problem.set_class(bool(message), "-shown")

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        if event.input.id == "new-platform":
            self._take_platform(event.input)
        elif event.value.strip():
            self._take_source(event.input)

    def _take_source(self, line: Input) -> bool:
        """Add the source that was typed; say why not, where it is none."""
        try:
            spec = self.lockwarden.setup.parse_source(line.value.strip())
        except InputError as error:
            self._show_problem("#source-problem", error.message, error.hint)
            return False
        known = spec in self._choice.sources
        self._choice = self._choice.with_source(spec)
        self._show_problem("#source-problem", "this source is in the list already" if known else "")
        line.value = "" if not known else line.value
        self._draw_sources()
        self.query_one("#sources", OptionList).highlighted = self._choice.sources.index(spec)
        return True

    def _take_platform(self, line: Input) -> bool:
        """Add the platform that was typed; say why not, where it is none."""
        try:
            platform = Platform.parse(line.value.strip())
        except InputError as error:
            self._show_problem("#platform-problem", error.message, error.hint)
            return False
        self._show_problem("#platform-problem", "")
        self._choice = self._choice.with_chosen(self._choice.chosen | {platform})
        self._draw_platforms()
        line.value = ""
        return True

    @on(OptionList.OptionSelected, "#mode")
    def _mode_chosen(self, event: OptionList.OptionSelected) -> None:
        self._choice = self._choice.with_mode(PlatformMode(event.option_id or PlatformMode.AUTO))
        self._draw_platforms()

    @on(OptionList.OptionSelected, "#ticks")
    def _ticked(self, event: OptionList.OptionSelected) -> None:
        self._choice = self._choice.with_chosen(self._choice.chosen ^ {Platform.parse(event.option_id or "")})
        self._draw_platforms()

    @on(Button.Pressed, "#run")
    def action_run(self) -> None:
        """Run the audit with this choice; one that is still running is given up."""
        if self._choice.problem:
            self._show_problem(
                "#source-problem" if not self._choice.sources else "#platform-problem", self._choice.problem
            )
            return
        app = self.lockwarden
        running = app.session.progress.running
        self.dismiss(None)
        app.audits.start(self._choice.sources, self._choice.choice)
        app.say("the running audit was cancelled; asking anew" if running else "asking anew")

    @property
    def _changed(self) -> bool:
        """Whether the draft differs from what the last audit asked, so that leaving would lose it."""
        before, now = self._in_use, self._choice
        typed = any(each.value.strip() for each in self.query(Input))
        return typed or (now.sources, now.choice) != (before.sources, before.choice)

    @on(Button.Pressed, "#back")
    def action_close(self) -> None:
        """Go back without a change; out of a line, go back to the list. What was not asked yet is not lost unsaid."""
        if isinstance(self.focused, Input):
            self.query_one("#sources", OptionList).focus()
        elif self._changed:
            text = "Sources or platforms were changed, and nothing was asked with them yet."
            self.app.push_screen(ChoiceScreen("Leave without asking?", text, (_ASK, _DISCARD)), self._left)
        else:
            self.dismiss(None)

    def _left(self, key: str | None) -> None:
        if key == _DISCARD.key:
            self.dismiss(None)
        elif key == _ASK.key:
            self._ask_with_what_is_typed()

    def _ask_with_what_is_typed(self) -> None:
        """Take over what stands in the lines, and ask; stay where that cannot be read."""
        source, platform = self.query_one("#new-source", Input), self.query_one("#new-platform", Input)
        if source.value.strip() and not self._take_source(source):
            source.focus()
        elif platform.value.strip() and not self._take_platform(platform):
            platform.focus()
        else:
            self.action_run()

    def on_paste(self, event: events.Paste) -> None:
        """Take what is pasted as a source, also where the line has not the focus."""
        lines = said_lines(event.text)
        self._type("".join(lines[:1]))
        if len(lines) > 1:
            self.say(LineInput.LinesLeftOut(len(lines)).told)

    def takes(self, event: events.Key) -> bool:
        """Begin to type a source out of the list."""
        in_list = self.focused is not None and self.focused.id == "sources"
        return self._typing.takes(event, self.lockwarden.reaction if in_list else None) or super().takes(event)

    def _type(self, text: str) -> None:
        line = self.query_one("#new-source", Input)
        self.set_focus(line)
        line.value += text
        line.cursor_position = len(line.value)

    def why_not(self, action: str) -> str:
        """Why a key does nothing now. Only a mirror can be trusted in the origin's place."""
        chosen = self._chosen if action == "trust" and self.is_mounted else None
        mirror = chosen is not None and chosen.kind in _MIRRORS
        return "" if action != "trust" or mirror else "only a mirror can be trusted in the origin's place"

    def action_trust(self) -> None:
        """Choose for which providers, look at what is written, and write it."""
        if (chosen := self._chosen) is not None:
            self.lockwarden.standards.trust_mirror(chosen)

    def action_add(self) -> None:
        """Put the cursor where a source is typed."""
        self.set_focus(self.query_one("#new-source"))

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(HelpScreen(self))

    def action_remove(self) -> None:
        """Take the selected source out."""
        if (chosen := self._chosen) is not None:
            self._choice = self._choice.without_source(chosen)
            self._draw_sources()
