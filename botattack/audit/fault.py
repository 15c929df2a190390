"""What a user sees if botattack itself fails."""

from __future__ import annotations


def our_fault(error: Exception) -> str:
    """A sentence that names a private file with the traceback. What the exception says is only written there: it may
    contain anything, secrets too."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="botattack-", suffix=".txt", delete=False) as file:
        file.write("".join(traceback.format_exception(error)))
    kind = type(error).__name__
    return f"this is a fault of botattack, not yours ({kind}); look {file.name} over for secrets, then please report it"
