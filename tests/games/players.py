"""Two rule-based players of MutualFriends, for tests and for docs/passages.md: `Tells` says how many friends it has of
a kind, `Asks` asks for them. Each knows nothing but what it hears, and draws by its seed."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from random import Random

Row = tuple[str, ...]
PHRASES = {
    "Name": "named {}",
    "School": "from {}",
    "Major": "studying {}",
    "Company": "working at {}",
    "Hobby": "into {}",
    "Time Preference": "who like the {}",
    "Location Preference": "who like it {}",
}
NONE = re.compile(r"\b(no|none|not|nobody|don't)\b", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.?!])\s+")
SURE = 1.5
"""How much more must speak for a friend than for any other before it is selected; a mention of a value that no other
friend has counts 1."""
PATIENCE = 3
"""Messages in a row that say nothing new of the own friends, after which a player guesses."""
GUESSES = 2
"""Messages after which one that always guesses does so, whatever they say."""


class Player:
    """One game. `seed` decides between what is equally good."""

    asks: bool
    listens = True

    def __init__(self, seed: int = 0) -> None:
        self._rng = Random(seed)
        self._rows: list[Row] = []
        self._attributes: Row = ()
        self._score: dict[Row, float] = {}
        self._out: set[Row] = set()
        self._tried: set[Row] = set()
        self._said: set[str] = set()
        self._heard: set[tuple[tuple[str, ...], bool]] = set()
        self._asked: tuple[str, ...] = ()
        self._lost = 0

    def __call__(self, text: str) -> str:
        if not self._rows:
            _, _, text = text.partition("Your friends:\n")
            text = self._deal(text)
        answer = self._hear(text.removeprefix("I begin: ")) if text != "You begin." else ""
        return self._select() or f"{answer} {self._say()}".strip()

    def _deal(self, text: str) -> str:
        """Reads the table; gives what the other said."""
        *rows, last = text.split("\n")
        found = [[cell.partition(": ") for cell in row.split(" | ")] for row in rows]
        self._attributes = tuple(name for name, _, _ in found[0])
        self._rows = [tuple(value for _, _, value in row) for row in found]
        self._score = dict.fromkeys(self._rows, 0.0)
        return last

    def _hear(self, text: str) -> str:
        """Learns of a message; gives the answer to what it asks."""
        if text.upper().startswith("SELECT"):
            # The game goes on, so that this is not the friend.
            wrong = set(self._known(text))
            self._tried |= {row for row in self._rows if set(row) == wrong}
            return ""
        learnt, answer = False, ""
        for sentence in SENTENCE.split(text):
            values = self._known(sentence)
            denied = NONE.search(sentence) is not None
            if denied and not values and self._asked:
                values, self._asked = self._asked, ()
            fits = [row for row in self._rows if set(values) <= set(row)] if values else []
            if denied:
                self._out.update(fits)
            for row in () if denied else fits:
                self._score[row] += sum(1 - self._share(value) for value in values)
            news = (values, denied)
            learnt = learnt or (bool(values) and news not in self._heard)
            self._heard.add(news)
            if sentence.endswith("?"):
                answer = self._answer(values)
        self._lost = 0 if learnt and self.listens else self._lost + 1
        return answer

    def _known(self, text: str) -> tuple[str, ...]:
        """The values of the own table that a text mentions, none of them inside another."""
        mine = sorted({value for row in self._rows for value in row}, key=len, reverse=True)
        found: list[str] = []
        for value in mine:
            place = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE)
            if place.search(text):
                found.append(value)
                text = place.sub(" ", text)
        return tuple(found)

    def _share(self, value: str) -> float:
        return sum(value in row for row in self._rows) / len(self._rows)

    def _answer(self, values: tuple[str, ...]) -> str:
        some = self._some(values) if values else ""
        return f"Yes, I have {some}." if some else "No, none of my friends."

    def _some(self, values: tuple[str, ...]) -> str:
        """`2 friends from Yale University`; empty if there is none."""
        fits = sum(set(values) <= set(row) for row in self._rows)
        return f"{fits} friend{'s' * (fits > 1)} {self._phrase(values)}" if fits else ""

    def _phrase(self, values: tuple[str, ...]) -> str:
        kinds = {value: name for row in self._rows for name, value in zip(self._attributes, row, strict=True)}
        return " and ".join(PHRASES.get(kinds[value], "have {}").format(value) for value in values)

    def _left(self) -> list[Row]:
        """The friends that it may still be, the likeliest first. Where all that was heard leaves none, something of it
        was wrong, and all are possible again that were not selected."""
        left = [row for row in self._rows if row not in self._out | self._tried]
        if not left:
            self._out.clear()
            left = [row for row in self._rows if row not in self._tried] or list(self._rows)
        self._rng.shuffle(left)
        return sorted(left, key=lambda row: -self._score[row])

    def _ahead(self) -> tuple[Row, float]:
        """The likeliest friend, and by how much it is."""
        best, *others = self._left()
        return best, self._score[best] - self._score[others[0]] if others else SURE

    def _select(self) -> str:
        best, ahead = self._ahead()
        if ahead < SURE and self._lost < (PATIENCE if self.listens else GUESSES) and (ahead <= 0 or self._unsaid(best)):
            return ""
        self._lost = 0
        self._tried.add(best)
        return f"SELECT {', '.join(best)}"

    def _unsaid(self, row: Row) -> list[tuple[str, str]]:
        """Two details of a friend each that were not spoken of together, the rarest first."""
        rare = sorted(row, key=lambda value: (self._share(value), value))
        return [pair for pair in combinations(rare, 2) if " ".join(pair) not in self._said]

    def _say(self) -> str:
        """Speaks of the likeliest friend by two details if one is ahead, else of the value that most of those that are
        left share, if not all do."""
        best, ahead = self._ahead()
        left = self._left()
        counts = Counter(value for row in left for value in row if value not in self._said)
        common = {value: times for value, times in counts.items() if times < len(left)}
        if ahead > 0 or not common:
            pairs = self._unsaid(best)
            values: tuple[str, ...] = pairs[0] if pairs else best[:2]
        else:
            most = max(common.values())
            values = (self._rng.choice(sorted(value for value, times in common.items() if times == most)),)
        self._said.add(" ".join(values))
        self._asked = values if self.asks else ()
        some = self._some(values)
        return f"Do you have any friends {self._phrase(values)}?" if self.asks else f"I have {some}."


class Tells(Player):
    asks = False


class Asks(Player):
    asks = True


class GuessingTells(Tells):
    listens = False


class GuessingAsks(Asks):
    listens = False


class Rambler:
    """Never comes to an end."""

    def __call__(self, text: str) -> str:
        return "I do not know."


class Mute:
    """Says something once, then nothing."""

    def __init__(self) -> None:
        self.turns = 0

    def __call__(self, text: str) -> str:
        self.turns += 1
        return "Hello." if self.turns == 1 else "  "
