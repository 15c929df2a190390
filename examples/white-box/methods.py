"""How a parser is trained: plainly, on attacked embeddings, or with a margin to questions that mean something else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

import torch
from model import Parser, Sizes, Vocabulary, padded_batch
from torch import Tensor

Tokens = tuple[str, ...]


@dataclass(frozen=True)
class Settings:
    """How a parser is trained. All but the method is the same for all, and none of it was chosen by what the tables
    show. `must_change` of the training set decides whether there is a margin."""

    method: str = "plain"
    updates: int = 300
    """About 43 epochs of 137 questions. Every method has as many, however large its training set is."""
    batch: int = 20
    rate: float = 0.002
    least: int = 2
    """Words that occur less often are unknown ones."""
    epsilon: float = 1.0
    """The length of what is added to the embeddings of a question: about 4 % of theirs. The paper does not give it."""
    steps: int = 3
    step: float = 0.4
    """How often PGD follows the gradient, and how far each time."""
    margin: float = 0.1
    alpha: float = 1.0
    """M and α of "Adversarial over-sensitivity and over-stability strategies for dialogue models", section 4.2."""
    sizes: Sizes = field(default_factory=Sizes)


@dataclass(frozen=True)
class TrainingSet:
    """Questions with logical forms, all in tokens, and for some questions others for which the form is wrong."""

    examples: tuple[tuple[Tokens, Tokens], ...]
    must_change: Mapping[Tokens, Sequence[Tokens]] = field(default_factory=dict)


def train(data: TrainingSet, settings: Settings, seed: int) -> Parser:
    """Return a parser trained on `data`. The same seed trains the same one, on one machine."""
    torch.manual_seed(seed)
    rng = Random(seed)
    words = Vocabulary([question for question, _ in data.examples], settings.least)
    parser = Parser(words, Vocabulary([form for _, form in data.examples], 1), settings.sizes)
    optimiser = torch.optim.Adam(parser.parameters(), settings.rate)
    parser.train()
    for batch in _batches(data.examples, settings, rng):
        loss = _loss(parser, batch, data, settings, rng)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parser.parameters(), 5.0)
        optimiser.step()
    parser.eval()
    return parser


def _batches(
    examples: Sequence[tuple[Tokens, Tokens]], settings: Settings, rng: Random
) -> Iterator[list[tuple[Tokens, Tokens]]]:
    """As many batches as there are updates. Forms of one batch are about as long, so that few steps are padding."""
    left = settings.updates
    while left:
        ordered = sorted(rng.sample(examples, len(examples)), key=lambda example: len(example[1]))
        batches = [ordered[start : start + settings.batch] for start in range(0, len(ordered), settings.batch)]
        rng.shuffle(batches)
        yield from batches[:left]
        left -= min(left, len(batches))


def _loss(
    parser: Parser, batch: Sequence[tuple[Tokens, Tokens]], data: TrainingSet, settings: Settings, rng: Random
) -> Tensor:
    questions = padded_batch([parser.words.encoded(question) for question, _ in batch])
    forms = padded_batch([parser.signs.encoded(form) for _, form in batch])
    likelihood = parser.log_likelihood(questions, forms)
    loss = -likelihood.mean()
    if settings.method in ("fgm", "pgd"):
        loss = loss - parser.log_likelihood(questions, forms, _climbed(parser, questions, forms, settings)).mean()
    places = [place for place, (question, _) in enumerate(batch) if data.must_change.get(question)]
    if places:
        wrong = _wrong(parser, [batch[place] for place in places], data.must_change, rng)
        margins = (settings.margin + wrong - likelihood[places]).clamp(min=0)
        loss = loss + settings.alpha * margins.sum() / len(batch)
    return loss


def _climbed(parser: Parser, questions: Tensor, forms: Tensor, settings: Settings) -> Tensor:
    """Return what to add to the embeddings so that the loss grows: steps along the gradient, each followed by a
    projection on the ball of radius ε. One step as long as the radius is the fast gradient method (Miyato et al. 2016,
    section 3); several are projected gradient descent (Madry et al. 2018, section 2.1)."""
    fast = settings.method == "fgm"
    step, steps = (settings.epsilon, 1) if fast else (settings.step, settings.steps)
    added = torch.zeros_like(parser.word_embeddings(questions))
    for _ in range(steps):
        added.requires_grad_()
        likelihood = parser.log_likelihood(questions, forms, added).sum()
        (gradient,) = torch.autograd.grad(-likelihood, added)
        added = (added + step * gradient / _lengths(gradient)).detach()
        added = added * (settings.epsilon / _lengths(added)).clamp(max=1)
    return added


def _lengths(added: Tensor) -> Tensor:
    """The Euclidean length for each question of a batch."""
    return added.flatten(1).norm(dim=1).clamp(min=1e-12).view(-1, 1, 1)


def _wrong(
    parser: Parser, batch: Sequence[tuple[Tokens, Tokens]], must_change: Mapping[Tokens, Sequence[Tokens]], rng: Random
) -> Tensor:
    """Return log P(t|a) for each logical form `t`, with `a` a question for which it is wrong."""
    others = [parser.words.encoded(rng.choice(must_change[question])) for question, _ in batch]
    forms = [parser.signs.encoded(form) for _, form in batch]
    return parser.log_likelihood(padded_batch(others), padded_batch(forms))
