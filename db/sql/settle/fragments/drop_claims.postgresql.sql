-- Drops the claims that :claims names, by number, job, process and time; they are in `done`
-- then.
named AS MATERIALIZED (
	SELECT x.* FROM json_to_recordset(:claims::json) AS x(
		id bigint, job_id bigint, process_id bigint, created_at timestamp)
), done AS (
	DELETE FROM solid_queue_claimed_executions c WHERE c.id = ANY (ARRAY(SELECT id FROM named))
		AND CASE WHEN (c.id, c.job_id, COALESCE(c.process_id, 0), c.created_at)
			IN (SELECT id, job_id, process_id, created_at FROM named)
			THEN true ELSE false END
	RETURNING id, job_id, process_id, created_at
)
