"""From the bytes of a configuration file to its text."""

from __future__ import annotations

from lockwarden.core.hcl.syntax import SyntaxProblem


def decoded(data: bytes) -> str:
    """The text of a file, which is UTF-8 without a byte order mark. Raises SyntaxProblem."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SyntaxProblem(1, "it is UTF-16, and only UTF-8 can be read", hint="save it as UTF-8")
    if data.startswith(b"\xef\xbb\xbf"):
        raise SyntaxProblem(
            1, "it begins with a byte order mark, which may not stand there", hint="save it as UTF-8 without BOM"
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SyntaxProblem(line, "there is a byte here that is not UTF-8", hint="save it as UTF-8") from error
