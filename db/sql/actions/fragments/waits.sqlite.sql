-- The job j is one of these, and is ready, scheduled or blocked, and nothing else. The + keeps SQLite
-- from starting at the index on finished_at.
j.id {in:jobs} AND +j.finished_at IS NULL
AND (EXISTS (SELECT 1 FROM solid_queue_ready_executions r WHERE r.job_id = j.id)
	OR EXISTS (SELECT 1 FROM solid_queue_scheduled_executions s WHERE s.job_id = j.id)
	OR EXISTS (SELECT 1 FROM solid_queue_blocked_executions b WHERE b.job_id = j.id))
AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = j.id)
