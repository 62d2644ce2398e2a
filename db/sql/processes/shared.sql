-- shared() -> adopted, rails, others, other, past, seen_at
-- Tells who else works with these tables. adopted: Rails had made them. rails: Rails' own table
-- about its databases stands beside them. others: processes of other software, and the name of
-- one. past: one that is remembered, and since when.
-- read

-- @mysql
-- rows
SELECT
	EXISTS (SELECT 1 FROM dray_migrations WHERE adopted),
	EXISTS (SELECT 1 FROM information_schema.tables
		WHERE table_schema = DATABASE() AND table_name = 'ar_internal_metadata'),
	COUNT(*), MIN(name),
	(SELECT name FROM dray_others ORDER BY seen_at, kind LIMIT 1),
	(SELECT seen_at FROM dray_others ORDER BY seen_at, kind LIMIT 1)
FROM solid_queue_processes
WHERE metadata IS NULL OR metadata NOT LIKE '%"software":"dray %';

-- @postgresql
-- rows
SELECT
	CASE WHEN EXISTS (SELECT 1 FROM dray_migrations WHERE adopted) THEN 1 ELSE 0 END,
	CASE WHEN EXISTS (
		SELECT 1 FROM pg_class c JOIN pg_class ours ON ours.relnamespace = c.relnamespace
		WHERE c.relname = 'ar_internal_metadata'
		AND ours.oid = (SELECT tableoid FROM dray_migrations LIMIT 1)) THEN 1 ELSE 0 END,
	count(*), min(name),
	(SELECT name FROM dray_others ORDER BY seen_at, kind LIMIT 1),
	(SELECT seen_at FROM dray_others ORDER BY seen_at, kind LIMIT 1)
FROM solid_queue_processes
WHERE metadata IS NULL OR metadata NOT LIKE '%"software":"dray %';

-- @sqlite
-- rows
SELECT
	EXISTS (SELECT 1 FROM dray_migrations WHERE adopted),
	EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'ar_internal_metadata'),
	count(*), min(name),
	(SELECT name FROM dray_others ORDER BY seen_at, kind LIMIT 1),
	(SELECT seen_at FROM dray_others ORDER BY seen_at, kind LIMIT 1)
FROM solid_queue_processes
WHERE metadata IS NULL OR metadata NOT LIKE '%"software":"dray %';
