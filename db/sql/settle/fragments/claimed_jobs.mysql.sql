-- The claims c of {it}, each with its job j, but for those of finished jobs, which just go.
{it}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
