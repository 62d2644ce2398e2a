-- Finishes the jobs of the told_runs.
UPDATE {include:told_runs}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
SET j.finished_at = :now, j.updated_at = :now
