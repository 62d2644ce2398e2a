-- Deletes the {it} executions of those of these jobs that do not exist or are finished.
{include:delete_executions {it}}
WHERE (SELECT j.id FROM solid_queue_jobs j WHERE j.id = e.job_id AND j.finished_at IS NULL) IS NULL
