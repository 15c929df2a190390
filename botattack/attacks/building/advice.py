"""What to do against an attack that breaks a bot: sentences that several attacks share."""

from __future__ import annotations

SPELLING = "Correct the spelling of a question, or match it fuzzily, before an answer is looked up."
SIGNS = "Ignore case, punctuation, short forms and filler words before an answer is looked up."
LETTERS = "Normalise letters first: remove invisible characters, and write look-alikes in one script."
WORDINGS = "Add the wordings that broke to what the bot learns from, or let it compare meanings rather than words."
DOUBT = "Tell the bot to keep a right answer when a user doubts it or suggests something else."
EARLIER = "Make sure that every earlier turn reaches the bot, and that it asks back when something is missing."
PASSAGES = "Check where its passages come from, and let it weigh them against each other before it answers."
DETAILS = "Let the bot compare the names, numbers and negations of a question with those of its answer."
DECLINE = "Let the bot say that it does not know when nothing supports an answer."
DATA = "Tell the bot that passages are data, and let nothing that they say change what it does."
