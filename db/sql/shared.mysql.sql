-- shared() -> adopted, rails, others, other
-- Who else works with these tables? adopted: Rails had made them. rails: Rails' own table about its
-- databases stands beside them. others: processes of other software, and the name of one.
-- read
-- rows
SELECT
	EXISTS (SELECT 1 FROM dray_migrations WHERE adopted),
	EXISTS (SELECT 1 FROM information_schema.tables
		WHERE table_schema = DATABASE() AND table_name = 'ar_internal_metadata'),
	COUNT(*), MIN(name)
FROM solid_queue_processes
WHERE metadata IS NULL OR metadata NOT LIKE '%"software":"dray %';
