"""A place in a lock file that moves from token to token."""

from __future__ import annotations

from lockwarden.core.lockfile.tokens import LockScanner, TokenKind


class Cursor:
    """A place in the text that moves from token to token. Every method may raise SyntaxProblem."""

    def __init__(self, scanner: LockScanner, position: int) -> None:
        self.scanner = scanner
        self.text = scanner.text
        self.token = scanner.token_at(position)

    def advance(self) -> None:
        """Go to the next token."""
        self.token = self.scanner.token_at(self.token.end)

    def skip_newlines(self) -> None:
        """Go to the next token that is no line end."""
        while self.token.kind is TokenKind.NEWLINE:
            self.advance()

    def at(self, mark: str) -> bool:
        """Whether this token is that mark."""
        return self.token.kind is TokenKind.MARK and self.source == mark

    @property
    def source(self) -> str:
        """The text of this token."""
        return self.text[self.token.start : self.token.end]

    def jump(self, position: int) -> None:
        """Go to the first token at or after a position."""
        self.token = self.scanner.token_at(position)
