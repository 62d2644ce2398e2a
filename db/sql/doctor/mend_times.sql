-- mend_times(jobs, now) ->

-- @mysql
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

-- @postgresql
-- Sets the times of unfinished jobs that are infinite to now.
UPDATE solid_queue_scheduled_executions SET scheduled_at = :now
WHERE job_id = ANY (:jobs::bigint[]) AND {include:time_is_odd scheduled_at};
UPDATE solid_queue_jobs SET scheduled_at = :now, updated_at = :now
WHERE id = ANY (:jobs::bigint[]) AND {include:time_is_odd scheduled_at};
UPDATE solid_queue_jobs SET created_at = :now, updated_at = :now
WHERE id = ANY (:jobs::bigint[]) AND {include:time_is_odd created_at};

-- @sqlite
-- Gives the times of unfinished jobs the form in which they are compared: what SQLite reads as a
-- time (a number is seconds since 1970, or a Julian day) stays that time, anything else becomes
-- now.
UPDATE solid_queue_scheduled_executions SET scheduled_at = {include:time_read scheduled_at}
WHERE job_id {in:jobs} AND {include:time_is_odd scheduled_at};
UPDATE solid_queue_jobs SET scheduled_at = {include:time_read scheduled_at}, updated_at = :now
WHERE id {in:jobs} AND {include:time_is_odd scheduled_at};
UPDATE solid_queue_jobs SET created_at = {include:time_read created_at}, updated_at = :now
WHERE id {in:jobs} AND {include:time_is_odd created_at};
