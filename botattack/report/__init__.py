"""What a run shows: figures, comparisons of runs, and the writers of every report."""
