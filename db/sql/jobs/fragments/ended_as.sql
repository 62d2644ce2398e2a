-- How the finished job {it} has ended, if its history says that it has not done its work; else null.
CASE {include:last_outcome {it}} WHEN 'cancelled' THEN 'cancelled' WHEN 'discarded' THEN 'discarded' END
