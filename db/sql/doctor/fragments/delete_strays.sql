-- Deletes the {it} executions of those of these jobs that do not exist or are finished.
{include:delete_executions {it}} AND NOT EXISTS (
	SELECT 1 FROM solid_queue_jobs j
	WHERE j.id = solid_queue_{it}_executions.job_id AND j.finished_at IS NULL)
