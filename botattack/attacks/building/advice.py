"""What to do against an attack that breaks a bot: sentences that several attacks share, each with what it changes: what
another one changes may not have broken anything."""

from __future__ import annotations

SPELLING = "Correct the spelling of a question, or match it fuzzily, before an answer is looked up."
SIGNS = "Ignore {} before an answer is looked up."
LETTERS = "Normalise letters first: {}."
WORDINGS = "Add the wordings that broke to what the bot learns from, or let it compare meanings rather than words."
DOUBT = "Tell the bot to keep a right answer when a user {}."
EARLIER = "Make sure that every earlier turn reaches the bot, and that it asks back when something is missing."
CARRIED = "Answer the last message, and let an earlier question decide it only if the last one refers to it."
PASSAGES = "Check where its passages come from, and let it weigh them against each other before it answers."
DETAILS = "Let the bot compare the {} of a question with those of its answer."
DECLINE = "Let the bot say that it does not know when nothing supports an answer."
DATA = "Tell the bot that passages are data, and let nothing that they say change what it does."
