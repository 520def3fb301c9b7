"""Byte-minimal editors: bytes in, bytes out, every byte outside the edited span unchanged."""
