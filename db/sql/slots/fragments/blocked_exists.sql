-- The blocked row {it} has its job. One without (deleted by hand) must not hold up its key.
(SELECT own.id FROM solid_queue_jobs own WHERE own.id = {it}.job_id) IS NOT NULL
