-- A job that has such a row already keeps it.
ON CONFLICT (job_id) DO NOTHING
