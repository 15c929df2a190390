"""botattack attacks live chatbots from the outside and says, with figures one can trust, where they break."""

__version__ = "0.1.0"
