"""Plan, pace, ask, judge: the async heart."""
