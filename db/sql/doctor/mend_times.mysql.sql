-- mend_times(jobs, now) ->
-- Sets the times of unfinished jobs that are dates of zeros to now.
UPDATE {include:ids :jobs} x
STRAIGHT_JOIN {include:executions scheduled}
SET e.scheduled_at = :now
WHERE {include:time_is_odd e.scheduled_at};
UPDATE {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_jobs e FORCE INDEX (PRIMARY)
	ON e.id = x.id
SET e.scheduled_at = :now, e.updated_at = :now
WHERE {include:time_is_odd e.scheduled_at};
UPDATE {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_jobs e FORCE INDEX (PRIMARY)
	ON e.id = x.id
SET e.created_at = :now, e.updated_at = :now
WHERE {include:time_is_odd e.created_at};
