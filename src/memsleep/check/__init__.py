"""The gate of a corpus repository: rules, what they find, and in which form it is told."""
