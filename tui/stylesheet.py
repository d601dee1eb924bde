"""The app's style sheet."""

from __future__ import annotations

from textual.css.stylesheet import Stylesheet


class AppStylesheet(Stylesheet):
    """A style sheet that is parsed anew only when a variable has another value.

    Textual parses everything a second time when the first screen opens, with the colours that it had before.
    """

    def __init__(self, variables: dict[str, str]) -> None:
        super().__init__(variables=variables)
        self._applied = dict(variables)
        self._outdated = False

    def set_variables(self, variables: dict[str, str]) -> None:
        """Set the colours and other values that styles name."""
        if variables != self._applied:
            self._applied = dict(variables)
            self._outdated = True
            super().set_variables(variables)

    def reparse(self) -> None:
        """Parse everything whose variables have changed, otherwise only what came since.

        Raises StylesheetError for styles that are wrong.
        """
        if self._outdated:
            super().reparse()
            self._outdated = False
        else:
            self.parse()
