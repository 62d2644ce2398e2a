-- Locks the {it} executions of these jobs: their jobs stay in that table.
kept AS MATERIALIZED (
	SELECT job_id FROM solid_queue_{it}_executions
	WHERE job_id = ANY (:jobs::bigint[]) FOR UPDATE
)
