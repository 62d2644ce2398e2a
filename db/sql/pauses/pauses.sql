-- pauses() -> pause_row, stale

-- @mysql
-- Lists everything that we have paused. A pause is stale when somebody else has resumed the
-- queue since, even if the queue is paused again. The tables' collations may differ.
-- read
-- rows
SELECT d.kind, d.name, d.reason, d.who, d.host, d.created_at, d.ends_at,
	d.kind = 'queue' AND NOT EXISTS (
		SELECT 1 FROM solid_queue_pauses s
		WHERE CAST(s.queue_name AS BINARY) = CAST(d.name AS BINARY)
			AND s.created_at = d.created_at)
FROM dray_pauses d ORDER BY d.kind, d.name;

-- @postgresql @sqlite
-- Lists everything that we have paused. A pause is stale when somebody else has resumed the
-- queue since, even if the queue is paused again.
-- read
-- rows
SELECT d.kind, d.name, d.reason, d.who, d.host, d.created_at, d.ends_at,
	d.kind = 'queue' AND NOT EXISTS (
		SELECT 1 FROM solid_queue_pauses s
		WHERE s.queue_name = d.name AND s.created_at = d.created_at)
FROM dray_pauses d ORDER BY d.kind, d.name;
