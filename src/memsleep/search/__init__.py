"""Finding memories: five arms, fused by rank, told apart from one another."""
