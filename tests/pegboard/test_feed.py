"""The feed: every new view reaches its followers at once, unless the thread that publishes holds them back."""

import threading

import pytest

from pegboard.core.view import View
from pegboard.feed import Feed

FIRST, SECOND = View(id="first"), View(id="second")


@pytest.fixture
def feed():
    return Feed()


@pytest.fixture
def seen(feed):
    """What a follower of the feed has been called with."""
    views = []
    feed.follow(views.append)
    return views


def test_followers_are_called_with_every_view(feed, seen):
    feed.publish(FIRST)
    feed.publish(SECOND)
    assert seen == [FIRST, SECOND]


def test_held_followers_are_called_once_with_the_newest_view_at_the_end(feed, seen):
    end = feed.hold()
    feed.publish(FIRST)
    feed.publish(SECOND)
    assert (feed.view, seen) == (SECOND, [])
    end()
    assert seen == [SECOND]
    end()
    feed.publish(FIRST)
    assert seen == [SECOND, FIRST]


def test_followers_are_not_called_if_nothing_was_published_meanwhile(feed, seen):
    feed.hold()()
    assert seen == []


def test_another_thread_can_end_it_before_anything_is_published(feed, seen):
    end = feed.hold()
    in_thread(end)
    feed.publish(FIRST)
    assert seen == [FIRST]


def test_what_another_thread_publishes_is_not_held_back(feed, seen):
    end = feed.hold()
    feed.publish(FIRST)
    in_thread(lambda: feed.publish(SECOND))
    assert seen == [SECOND]
    end()
    assert seen == [SECOND, SECOND], "nobody gets an older view after a newer one"


def in_thread(act):
    thread = threading.Thread(target=act)
    thread.start()
    thread.join()


def test_a_follower_that_publishes_is_told_that_it_must_not(feed, seen, caplog):
    feed.follow(lambda _: feed.publish(SECOND), first=True)
    publishing = threading.Thread(target=feed.publish, args=(FIRST,), daemon=True)
    publishing.start()
    publishing.join(60)
    assert not publishing.is_alive()
    assert "a follower must not publish" in caplog.text
    assert (feed.view, seen) == (FIRST, [FIRST])


def test_a_follower_that_fails_keeps_no_other_from_its_view(feed, seen, caplog):
    feed.follow(lambda _: 1 / 0, first=True)
    feed.publish(FIRST)
    assert seen == [FIRST]
    assert "a follower of the board failed" in caplog.text
