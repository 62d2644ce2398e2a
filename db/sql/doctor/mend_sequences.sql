-- mend_sequences(jobs) ->

-- @mysql @sqlite
-- Moves these sequences (not jobs) to the highest number there is: only PostgreSQL has any.
-- read
SELECT version FROM dray_migrations WHERE :jobs IS NULL AND version < 0;

-- @postgresql
-- Moves these sequences (not jobs) to the highest number there is. nextval only goes forwards, so
-- others may insert meanwhile. Where it would take too long the sequence is set; then it is so far
-- behind that others cannot be past that number a moment later. No transaction undoes either.
-- read
SELECT CASE WHEN b.most - b.value > 100000 THEN setval(b.sequence, b.most)
	ELSE (SELECT max(g.next) FROM (
		SELECT nextval(b.sequence) AS next FROM generate_series(b.value + 1, b.most)) g) END
FROM {include:sequences_behind} b
WHERE b.sequence::oid::bigint {in:jobs};
