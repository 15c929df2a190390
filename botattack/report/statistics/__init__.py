"""Statistics of counts and rates, without a case or an event: intervals, tests, agreement."""
