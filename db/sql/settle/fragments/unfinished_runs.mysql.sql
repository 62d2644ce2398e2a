-- The ends x of runs with their claims c, and their jobs j, but for those that are finished.
{include:run_ends}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
