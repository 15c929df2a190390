"""What a run is, and everything around it: what a campaign becomes, how it ends, what it is compared with, nights."""
