-- paused() -> pause_row

-- @mysql
-- Lists everything that is paused, also by other software, and what we know about it. The tables'
-- collations may differ.
-- read
-- rows
SELECT 'queue', CONVERT(s.queue_name USING utf8mb4) COLLATE utf8mb4_bin, d.reason, d.who, d.host,
	s.created_at, d.ends_at
FROM solid_queue_pauses s
LEFT JOIN dray_pauses d ON d.kind = 'queue' AND d.created_at = s.created_at
	AND CAST(d.name AS BINARY) = CAST(s.queue_name AS BINARY)
UNION ALL
SELECT o.kind, o.name COLLATE utf8mb4_bin, o.reason, o.who, o.host, o.created_at, o.ends_at
FROM dray_pauses o WHERE o.kind NOT IN ('queue', 'refused', 'refused_before')
ORDER BY 1, 2;

-- @postgresql @sqlite
-- Lists everything that is paused, also by other software, and what we know about it.
-- read
-- rows
SELECT 'queue', s.queue_name, d.reason, d.who, d.host, s.created_at, d.ends_at
FROM solid_queue_pauses s
LEFT JOIN dray_pauses d
	ON d.kind = 'queue' AND d.name = s.queue_name AND d.created_at = s.created_at
UNION ALL
SELECT o.kind, o.name, o.reason, o.who, o.host, o.created_at, o.ends_at
FROM dray_pauses o WHERE o.kind NOT IN ('queue', 'refused', 'refused_before')
ORDER BY 1, 2;
