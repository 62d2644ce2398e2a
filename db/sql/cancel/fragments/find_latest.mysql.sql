-- Finds the new jobs, the last of each key and class, that wait and cancel the others: @dray_latest.
SELECT JSON_ARRAYAGG(JSON_OBJECT('key', found.concurrency_key, 'class_name', found.class_name,
	'id', found.id, 'job_id', found.job_id)) INTO @dray_latest FROM (
	WITH waiting AS (
		{include:conflicting}
	)
	SELECT w.id, w.job_id, w.concurrency_key, w.class_name FROM waiting w
	WHERE w.on_conflict = 'cancel_running' AND w.created_at = :now
		AND NOT {include:is_retried w.job_id}
		AND NOT EXISTS (SELECT 1 FROM waiting later
			WHERE later.concurrency_key = w.concurrency_key
				AND later.class_name = w.class_name
				AND later.id > w.id AND NOT {include:is_retried later.job_id})) found
HAVING COUNT(*) > 0
