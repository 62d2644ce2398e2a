-- Finishes those of the lost jobs in @dray_lost that are discarded.
UPDATE {include:lost_runs 'discarded'}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
SET j.finished_at = :now, j.updated_at = :now
