-- slots_missing(jobs) -> job_id
-- Finds those of these jobs that have no slot of ours although their class is declared to be
-- limited.
-- read
-- rows
SELECT j.id
FROM {include:jobs_named}
WHERE {include:is_named} AND j.concurrency_key IS NOT NULL
	AND (SELECT l.slots FROM dray_classes l {index:PRIMARY}
		WHERE l.class_name = j.class_name AND l.position = 0) IS NOT NULL
	AND {include:holds_no_slot j.id}
ORDER BY j.id;
