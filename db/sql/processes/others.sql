-- others() -> kind, name
-- Finds a process of other software, unless one is remembered already.
-- read
-- rows
SELECT kind, name FROM solid_queue_processes
WHERE (metadata IS NULL OR metadata NOT LIKE '%"software":"dray %')
	AND NOT EXISTS (SELECT 1 FROM dray_others)
ORDER BY id LIMIT 1;
