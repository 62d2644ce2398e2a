-- The value {it} as text.
CAST({it} AS TEXT)
