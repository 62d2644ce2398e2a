-- doctor_sequences(after, limit) -> sequence, name, value
-- Lists the sequences above `after` that will give out a number that a row of their table has, and
-- where each of them stands. Only PostgreSQL has any: the others keep their counters by themselves.
-- read
-- rows
SELECT version, name, name FROM dray_migrations
WHERE version > :after AND version < 0 ORDER BY version LIMIT :limit;
