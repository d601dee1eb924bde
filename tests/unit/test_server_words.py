"""What a server says of its refusal: what is taken of a body, and what never is."""

from __future__ import annotations

from builders.tables import table

from lockwarden.core.http.server_words import LONGEST, quoted, secrets_of, words_in


@table(
    ("body", "words"),
    [
        (b'{"errors": ["Not Found", "Not Found", "ask\\n  Acme"]}', "Not Found; ask Acme"),
        (b'{"errors": [{"code": "DENIED", "message": "no access", "detail": {"x": 1}}]}', "DENIED: no access"),
        (b'{"errors": [{"status": "403", "title": "forbidden", "detail": "pay first"}]}', "forbidden: pay first"),
        (b'{"errors": "one text"}', "one text"),
        (b'{"error": "invalid_token", "message": "expired"}', "invalid_token; expired"),
        (b'{"errors": [7, null, [], {}]}', ""),
        (b'{"errors": ["1", "2", "3", "4", "5", "6"]}', "1; 2; 3; 4; 5"),
        (b"[]", ""),
        (b"", ""),
        (b"<html>Please log in</html>", ""),
        (b'{"message": "see https://me:pass@a.test/x?X-Signature=abc#y for more"}', "see https://a.test/x for more"),
        (b'{"message": "/x?Signature=abc is gone; why?"}', "/x is gone; why?"),
        (b'{"message": "the token tok-1234 has expired"}', "(words that held the credentials that were sent)"),
        (b'{"message": "at /log-in/tok%2d1234"}', "(words that held the credentials that were sent)"),
    ],
)
def test_the_words_are_those_of_the_errors(body: bytes, words: str) -> None:
    assert words_in(body, secrets={"tok-1234"}) == words


@table(
    ("status", "said", "words"),
    [
        (404, "Not Found", ""),
        (403, "403 forbidden.", ""),
        (401, "Unauthorized", ""),
        (404, "Unauthorized", "Unauthorized"),
        (404, "Not Found in this region", "Not Found in this region"),
        (599, "599", ""),
    ],
)
def test_what_only_repeats_the_status_are_no_words(status: int, said: str, words: str) -> None:
    assert words_in(f'{{"errors": ["{said}"]}}'.encode(), status=status) == words


def test_long_words_are_cut() -> None:
    words = words_in(b'{"message": "' + b"x" * 5000 + b'"}')
    assert words == "x" * LONGEST + "…"


@table(
    ("headers", "secrets"),
    [
        ({"Authorization": "Bearer abc"}, {"abc"}),
        ({"authorization": "Basic bWU6cGFzcw=="}, {"bWU6cGFzcw==", "pass"}),
        ({"Authorization": "Basic !"}, {"!"}),
        ({"Authorization": "Basic bWU6"}, {"bWU6"}),
        ({"Authorization": "Bearer "}, set()),
        ({"Accept": "abc"}, set()),
    ],
)
def test_what_no_answer_may_repeat(headers: dict[str, str], secrets: set[str]) -> None:
    assert secrets_of(headers) == secrets


def test_words_follow_a_sentence_as_the_servers() -> None:
    assert (quoted("no"), quoted("")) == ("; the server says “no”", "")
