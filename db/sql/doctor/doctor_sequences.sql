-- doctor_sequences(after, limit) -> ailing
-- Lists the sequences above `after` that will give out a number that a row of their table has, and
-- where each of them stands. Only PostgreSQL has any: the others keep their counters by themselves.
-- read

-- @mysql @sqlite
-- rows
SELECT version, name, name FROM dray_migrations
WHERE version > :after AND version < 0 ORDER BY version LIMIT :limit;

-- @postgresql
-- rows
SELECT b.sequence::oid::bigint, b.sequence::text || ' is at', b.value
FROM {include:sequences_behind} b
WHERE b.sequence::oid::bigint > :after
ORDER BY 1 LIMIT :limit;
