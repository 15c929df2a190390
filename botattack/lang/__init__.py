"""Words that a judge needs to know, one file a language: data, not code."""
