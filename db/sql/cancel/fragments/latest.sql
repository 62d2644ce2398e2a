-- The new jobs, the last of each key and class, that wait and cancel the others (`latest`); begins with
-- what waits.
waiting AS MATERIALIZED (
	{include:conflicting}
), latest AS MATERIALIZED (
	SELECT w.id, w.job_id, w.concurrency_key, w.class_name FROM waiting w
	WHERE w.on_conflict = 'cancel_running' AND w.created_at = :now
		AND NOT {include:is_retried w.job_id}
		AND NOT EXISTS (SELECT 1 FROM waiting later
			WHERE later.concurrency_key = w.concurrency_key
				AND later.class_name = w.class_name
				AND later.id > w.id AND NOT {include:is_retried later.job_id})
)
