-- Finishes the jobs of the told_runs.
UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
WHERE +finished_at IS NULL AND id IN (SELECT c.job_id FROM {include:told_runs})
