-- slots_missing(jobs) -> job_id
-- Those of these jobs that have no slot of ours although their class is declared to be limited.
-- read
-- rows
SELECT j.id
FROM {include:distinct_ids :jobs} d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id
WHERE j.concurrency_key IS NOT NULL
	AND (SELECT l.slots FROM dray_limits l FORCE INDEX (PRIMARY)
		WHERE l.class_name = j.class_name AND l.position = 0) IS NOT NULL
	AND (SELECT s.job_id FROM dray_slots s FORCE INDEX (index_dray_slots_on_job_id)
		WHERE s.job_id = j.id LIMIT 1) IS NULL
ORDER BY j.id;
