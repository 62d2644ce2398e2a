-- clock() -> microseconds
-- The database's clock, microseconds since 1970-01-01 UTC.
-- read
-- rows
SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000;
