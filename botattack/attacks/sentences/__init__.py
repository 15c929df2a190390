"""Attacks on whole sentences: restated, reordered, translated, paraphrased."""
