"""Events to lines and back, redaction, resume and replay."""
