-- slots_missing(jobs) -> job_id
-- Those of these jobs that have no slot of ours although their class is declared to be limited.
-- read
-- rows
SELECT j.id FROM solid_queue_jobs j
WHERE j.id {in:jobs} AND j.concurrency_key IS NOT NULL
	AND (SELECT l.slots FROM dray_limits l
		WHERE l.class_name = j.class_name AND l.position = 0) IS NOT NULL
	AND (SELECT s.job_id FROM dray_slots s WHERE s.job_id = j.id LIMIT 1) IS NULL
ORDER BY j.id;
