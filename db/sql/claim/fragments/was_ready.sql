-- Since when the claimed job j was ready: its ready row goes after this statement.
(SELECT e.created_at FROM solid_queue_ready_executions e WHERE e.job_id = j.id)
