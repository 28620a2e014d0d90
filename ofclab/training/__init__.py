"""Train Expert's weights for a ruleset: self-play, labels by exact tails, small nets, lap after lap."""
