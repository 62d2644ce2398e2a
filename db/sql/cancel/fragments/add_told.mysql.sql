-- Writes into the history by whom the told_runs were cancelled, and why.
INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, ended_at, outcome, error)
SELECT c.job_id, 0, c.id, c.created_at, :now, 'cancelled', JSON_OBJECT(
	'exception_class', 'Dray::CancelledError', 'message', {include:cancelled_by}, 'backtrace', NULL)
FROM {include:told_runs}
