-- mend_times(jobs, now) ->
-- Times of unfinished jobs that are dates of zeros are now.
UPDATE {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_scheduled_executions e FORCE INDEX (index_solid_queue_scheduled_executions_on_job_id)
	ON e.job_id = x.id
SET e.scheduled_at = :now
WHERE e.scheduled_at < '1000-01-01 00:00:00';
UPDATE {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_jobs e FORCE INDEX (PRIMARY)
	ON e.id = x.id
SET e.scheduled_at = :now, e.updated_at = :now
WHERE e.scheduled_at < '1000-01-01 00:00:00';
UPDATE {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_jobs e FORCE INDEX (PRIMARY)
	ON e.id = x.id
SET e.created_at = :now, e.updated_at = :now
WHERE e.created_at < '1000-01-01 00:00:00';
