"""Delivering a night elsewhere: providers, the outbox, pull and refusal.

`protocol` is what a provider must be; `outbox` holds what it has not acknowledged yet.
"""
