"""Small servers on loopback that the tests ask."""
