-- The claims c, each with its job j, but for those of finished jobs, which just go. The + keeps
-- SQLite from starting at the index on finished_at.
solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
