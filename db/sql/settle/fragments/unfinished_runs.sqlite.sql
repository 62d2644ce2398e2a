-- The ends f of runs with their claims c, and their jobs j, but for those that are finished.
{include:run_ends}
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
