-- Sets in the jobs of the runs {it} when they are `due`, and the payload that comes with them, if any.
UPDATE {it}
SET j.arguments = COALESCE(x.payload, j.arguments), j.scheduled_at = x.due, j.updated_at = :now
