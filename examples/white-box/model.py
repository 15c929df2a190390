"""A small parser: two convolutional networks with attention (Gehring et al. 2017)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

PAD, UNKNOWN, END, JOINED = "<pad>", "<unk>", "<end>", "</s>"
LONGEST_FORM = 110
"""Tokens that are written at most. The longest logical form of the sets has 96."""
_PLACES = 256
_SCALE = 0.5**0.5
"""Keeps the variance of a sum of two layers."""


@dataclass(frozen=True)
class Sizes:
    """How large the parser is, and how often a value is dropped while it is trained."""

    width: int = 96
    read_layers: int = 2
    write_layers: int = 3
    dropout: float = 0.3


class Vocabulary:
    """Numbers of tokens. Those that occur less than `least` times have the number of unknown ones."""

    def __init__(self, texts: Iterable[Sequence[str]], least: int) -> None:
        counts = Counter(token for text in texts for token in text)
        kept = sorted(token for token, times in counts.items() if times >= least)
        self.tokens = [*dict.fromkeys((PAD, UNKNOWN, END, JOINED, *kept))]
        self.numbers = {token: number for number, token in enumerate(self.tokens)}

    def encoded(self, text: Sequence[str]) -> Tensor:
        return torch.tensor([self.numbers.get(token, self.numbers[UNKNOWN]) for token in (*text, END)])

    def decoded(self, numbers: Sequence[int]) -> list[str]:
        end = self.numbers[END]
        return [self.tokens[number] for number in numbers[: numbers.index(end) if end in numbers else None]]


class Layer(nn.Module):
    """A gated convolution over the tokens at the distances of `window`, added to what it read."""

    def __init__(self, width: int, window: range, dropout: float) -> None:
        super().__init__()
        self.window, self.reach = window, max(map(abs, window))
        self.mixed = nn.Linear(width * len(window), 2 * width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens: Tensor) -> Tensor:
        padded = nn.functional.pad(self.dropout(tokens), (0, 0, self.reach, self.reach))
        starts = [self.reach + distance for distance in self.window]
        near = torch.cat([padded[:, start : start + tokens.shape[1]] for start in starts], 2)
        return (tokens + nn.functional.glu(self.mixed(near), 2)) * _SCALE


class Attention(nn.Module):
    """What each token of the logical form reads of the question, added to it."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.asked, self.read = nn.Linear(width, width, bias=False), nn.Linear(width, width)

    def forward(self, tokens: Tensor, keys: Tensor, values: Tensor, padding: Tensor) -> Tensor:
        scores = self.asked(tokens) @ keys.transpose(1, 2) / keys.shape[2] ** 0.5
        weights = scores.masked_fill(padding.unsqueeze(1), -torch.inf).softmax(2)
        return (tokens + self.read(weights @ values)) * _SCALE


class Parser(nn.Module):
    """Questions to logical forms. What is added to the embeddings of the words is an argument, for attacks on them."""

    def __init__(self, words: Vocabulary, signs: Vocabulary, sizes: Sizes) -> None:
        super().__init__()
        self.words, self.signs = words, signs
        width, dropout = sizes.width, sizes.dropout
        self.word_embeddings = nn.Embedding(len(words.tokens), width, padding_idx=0)
        self.sign_embeddings = nn.Embedding(len(signs.tokens), width, padding_idx=0)
        self.word_places = nn.Parameter(0.3 * torch.randn(_PLACES, width))
        self.sign_places = nn.Parameter(0.3 * torch.randn(_PLACES, width))
        self.readers = nn.ModuleList([Layer(width, range(-1, 2), dropout) for _ in range(sizes.read_layers)])
        writers = [Layer(width, range(-4, 1), dropout) for _ in range(sizes.write_layers)]
        self.writers = nn.ModuleList(writers)
        self.attentions = nn.ModuleList([Attention(width) for _ in range(sizes.write_layers)])
        self.seen = 1 + sum(layer.reach for layer in writers)
        """How many of the last tokens decide which is next: only these are read again for each."""
        self.output = nn.Linear(width, len(signs.tokens))
        self.dropout = nn.Dropout(dropout)

    def log_likelihood(self, questions: Tensor, forms: Tensor, added: Tensor | None = None) -> Tensor:
        """Return log P(form | question) for each pair of a batch."""
        begun = nn.functional.pad(forms[:, :-1], (1, 0), value=self.signs.numbers[END])
        logits = self._write(begun, *self._read(questions, added))
        each = torch.log_softmax(logits, 2).gather(2, forms.unsqueeze(2)).squeeze(2)
        return (each * (forms != 0)).sum(1)

    @torch.no_grad()
    def parsed(self, questions: Sequence[Sequence[str]], batch: int = 200) -> list[list[str]]:
        """Return the most likely logical form of each question, chosen token by token."""
        found: list[list[str]] = []
        end = self.signs.numbers[END]
        for start in range(0, len(questions), batch):
            padded = padded_batch([self.words.encoded(question) for question in questions[start : start + batch]])
            read = self._read(padded, None)
            signs = torch.full((len(padded), 1), end)
            while signs.shape[1] <= LONGEST_FORM and not (signs[:, 1:] == end).any(1).all():
                begin = max(0, signs.shape[1] - self.seen)
                last = self._write(signs[:, begin:], *read, begin)[:, -1:].argmax(2)
                signs = torch.cat([signs, last], 1)
            found += [self.signs.decoded(row) for row in signs[:, 1:].tolist()]
        return found

    def _read(self, questions: Tensor, added: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        """Return the keys and values of the words, and which are padding."""
        embedded = self.word_embeddings(questions)
        embedded = embedded if added is None else embedded + added
        real = (questions != 0).unsqueeze(2)
        embedded = self.dropout(embedded + self.word_places[: questions.shape[1]]) * real
        keys = embedded
        for layer in self.readers:
            keys = layer(keys) * real
        return keys, (keys + embedded) * _SCALE, questions == 0

    def _write(self, signs: Tensor, keys: Tensor, values: Tensor, padding: Tensor, begin: int = 0) -> Tensor:
        tokens = self.dropout(self.sign_embeddings(signs) + self.sign_places[begin : begin + signs.shape[1]])
        for layer, attention in zip(self.writers, self.attentions, strict=True):
            tokens = attention(layer(tokens), keys, values, padding)
        return self.output(self.dropout(tokens))


def padded_batch(rows: Sequence[Tensor]) -> Tensor:
    """Return rows of numbers as one table."""
    return pad_sequence(list(rows), batch_first=True)
