"""Servers that repeat what they, or others, were sent to be let in: nothing that is shown holds it."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from contract.faulty_server import Answer
from contract.http_world import OK, Run, World

TOKEN = "t0k3n+of/the-registry="
PLACES = {
    "as it is": f"/log-in/{TOKEN}",
    "as a URL has it": f"/log-in/{quote(TOKEN, safe='')}",
    "over plain http": f"http://elsewhere.test/{TOKEN}",
    "before a host": f"https://{TOKEN}@elsewhere.test/",
}


def bearing(token: str = TOKEN) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.parametrize("place", PLACES)
def test_a_redirect_to_a_url_that_shows_the_token_is_refused(place: str, run: Run) -> None:
    async def scenario(world: World) -> None:
        url = world.server.on("/a", Answer(status=302, headers={"Location": PLACES[place]}))
        error = await world.fails(url, headers=bearing())
        assert error.code == "redirect-refused"
        assert "repeats the credentials" in error.message
        assert not [secret for secret in (TOKEN, quote(TOKEN, safe="")) if secret in error.message]
        assert world.server.asked() == ["/a"]

    run(scenario)


def test_a_redirect_is_followed_where_the_token_is_hidden_stood_in_the_url_before_or_is_a_word(run: Run) -> None:
    async def scenario(world: World) -> None:
        world.server.on("/there", OK)
        world.server.on(f"/{quote(TOKEN)}/there", OK)
        hidden = world.server.on("/a", Answer(status=302, headers={"Location": f"/there?token={TOKEN}"}))
        before = world.server.on(
            f"/{quote(TOKEN)}/a", Answer(status=302, headers={"Location": f"/{quote(TOKEN)}/there"})
        )
        assert (await world.get(hidden, headers=bearing())).status == 200
        assert (await world.get(before, headers=bearing())).status == 200
        word = world.server.on("/b", Answer(status=302, headers={"Location": "/there"}))
        assert (await world.get(word, headers=bearing("there"))).status == 200

    run(scenario)


def test_what_one_request_was_let_in_with_is_not_shown_of_the_answer_to_another(run: Run) -> None:
    async def scenario(world: World) -> None:
        await world.get(world.server.on("/a", OK), headers=bearing())
        refused = Answer(status=403, body=b'{"message": "no entry with %s"}' % TOKEN.encode())
        assert "held the credentials" in (await world.get(world.server.on("/b", refused))).said
        typed = world.server.on("/c", Answer(headers={"Content-Type": TOKEN}, body=b"{}"))
        assert TOKEN not in (await world.get(typed)).content_type
        error = await world.fails(typed, content_types=frozenset({"application/json"}))
        assert (error.code, TOKEN in error.message) == ("content-type", False)

    run(scenario)
