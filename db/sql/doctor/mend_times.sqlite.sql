-- mend_times(jobs, now) ->
-- Gives the times of unfinished jobs the form in which they are compared: what SQLite reads as a
-- time (a number is seconds since 1970, or a Julian day) stays that time, anything else becomes
-- now.
UPDATE solid_queue_scheduled_executions SET scheduled_at = {include:time_read scheduled_at}
WHERE job_id {in:jobs} AND {include:time_is_odd scheduled_at};
UPDATE solid_queue_jobs SET scheduled_at = {include:time_read scheduled_at}, updated_at = :now
WHERE id {in:jobs} AND {include:time_is_odd scheduled_at};
UPDATE solid_queue_jobs SET created_at = {include:time_read created_at}, updated_at = :now
WHERE id {in:jobs} AND {include:time_is_odd created_at};
