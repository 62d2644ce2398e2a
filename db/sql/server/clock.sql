-- clock() -> microseconds
-- The database's clock, microseconds since 1970-01-01 UTC.
-- read

-- @mysql
-- rows
SELECT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP('1970-01-01'), UTC_TIMESTAMP(6));

-- @postgresql
-- rows
SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;

-- @sqlite
-- rows
SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) * 1000;
