-- clock() -> microseconds
-- The database's clock, microseconds since 1970-01-01 UTC.
-- read
-- rows
SELECT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP('1970-01-01'), UTC_TIMESTAMP(6));
