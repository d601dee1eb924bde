"""All the stories of the demo, one provider each."""

from __future__ import annotations

from lockwarden.demo import lock_stories, signing_stories, source_stories
from lockwarden.demo.cast import Notary
from lockwarden.demo.story import Story


def tell(notary: Notary) -> tuple[Story, ...]:
    """Make every story, with signatures by `notary`. The same signatures give the same world to the byte."""
    makers = (*signing_stories.STORIES, *source_stories.STORIES, *lock_stories.STORIES)
    return tuple(make(notary) for make in makers)
