"""Readers: bytes of one file in, a memory or the reasons why it is none out. No disk, no clock."""
