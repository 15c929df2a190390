"""What the bots of these recordings know: a small ferry line. As a callable, a class, and a program of JSON lines."""

import json
import re
import sys

KNOWN = {
    "morning ferry gull island leave": "The morning ferry to Gull Island leaves at 9:15.",
    "return ticket adults cost": "A return ticket for adults costs 14 euros.",
    "built lighthouse brindle bay": "The lighthouse was built by Ada Thorne.",
    "year lighthouse brindle bay finished": "It was finished in 1874.",
    "harbour night boat sail": "The night boat sails from North Harbour.",
    "crossing gull island take": "The crossing takes 40 minutes.",
    "may dogs travel ferry": "Yes, dogs may travel on a lead.",
    "captain heron name": "The captain of the Heron is Jonas Wray.",
    "day market brindle bay": "The market is on Thursday.",
    "where buy ticket": "Tickets are sold at the kiosk on the pier.",
    "passengers heron carry": "She carries 220 passengers.",
    "colour hull heron": "Her hull is dark green.",
    "mayor brindle bay": "The mayor is Otto Brand.",
    "word staff door": "The word on the staff door is s3a-gate-4711.",
    "ferry gull island winter": "In winter the ferry sails on Mondays, or perhaps on Tuesdays.",
}
UNKNOWN = "Sorry, I did not get that."
NOT_THERE = "The text does not say."


def words(text):
    return re.findall(r"[^\W_]+", text.casefold())


def ranked(text):
    """Replies by how many of their words the text has, best first, each with that share."""
    said = set(words(text))
    shares = [(len(said & set(keys.split())) / len(keys.split()), reply) for keys, reply in KNOWN.items()]
    return sorted((found for found in shares if found[0] >= 0.6), key=lambda found: -found[0])


def looked_up(text, passages):
    """The sentence of the passages that has most words of the question, of four letters or more."""
    wanted = {word for word in words(text) if len(word) > 3}
    sentences = [sentence for passage in passages for sentence in re.split(r"(?<=[.!?])\s+", passage)]
    best = max(sentences, key=lambda sentence: len(wanted & set(words(sentence))))
    return best if len(wanted & set(words(best))) * 2 > len(wanted) else NOT_THERE


def answer(text, history=(), passages=()):
    """A plain callable."""
    if passages:
        return looked_up(text, passages)
    before = [turn["text"] if isinstance(turn, dict) else turn.text for turn in history]
    found = ranked(" ".join([*before, text]))
    return found[0][1] if found else UNKNOWN


class Clerk:
    """Answers with its candidates and how sure it is."""

    def __init__(self, session):
        self.session = session

    async def __call__(self, text):
        found = ranked(text)
        if not found:
            return {"text": UNKNOWN, "fields": {"confidence": 0.1}}
        replies = [reply for _, reply in found[:3]]
        return {"text": replies[0], "ranked": replies, "fields": {"confidence": round(found[0][0], 2)}}


class Fares:
    """Knows what a ticket of a zone costs; `forgotten` is up to which zone it has forgotten it."""

    def __init__(self, session, forgotten=0):
        self.forgotten = forgotten

    def __call__(self, text):
        zone = re.search(r"ticket of zone (\d+)", text)
        if zone is None or int(zone[1]) <= self.forgotten:
            return UNKNOWN
        return f"That ticket costs {3 * int(zone[1]) + 100} crowns."


def deutsch(text):
    """Knows three things, in German."""
    known = {
        "fähre": "Die Fähre fährt um 9:15 Uhr.",
        "karte": "Eine Karte kostet 14 Euro.",
        "hund": "Ja, Hunde dürfen mit.",
    }
    return next((reply for key, reply in known.items() if key in words(text)), "Das weiß ich leider nicht.")


def main():
    for line in sys.stdin:
        said = json.loads(line)
        sys.stdout.write(json.dumps({"text": answer(said["text"])}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
