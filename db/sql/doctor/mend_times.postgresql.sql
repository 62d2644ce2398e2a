-- mend_times(jobs, now) ->
-- Sets the times of unfinished jobs that are infinite to now.
UPDATE solid_queue_scheduled_executions SET scheduled_at = :now
WHERE job_id = ANY (:jobs::bigint[]) AND {include:time_is_odd scheduled_at};
UPDATE solid_queue_jobs SET scheduled_at = :now, updated_at = :now
WHERE id = ANY (:jobs::bigint[]) AND {include:time_is_odd scheduled_at};
UPDATE solid_queue_jobs SET created_at = :now, updated_at = :now
WHERE id = ANY (:jobs::bigint[]) AND {include:time_is_odd created_at};
