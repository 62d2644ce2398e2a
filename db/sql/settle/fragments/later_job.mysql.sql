-- Sets in the jobs of the runs {it} when they are `due`, and the payload that comes with them, if any.
UPDATE {it}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
SET j.arguments = COALESCE(x.payload, j.arguments), j.scheduled_at = x.due, j.updated_at = :now
