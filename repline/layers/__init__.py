"""Networks and losses that several systems are made of."""
