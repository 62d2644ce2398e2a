-- clock() -> microseconds
-- The database's clock, microseconds since 1970-01-01 UTC.
-- read
-- rows
SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
