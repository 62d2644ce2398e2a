-- The state of job j, its error, since when, the process that runs it, and whether it was cancelled or
-- discarded, or is being cancelled. from_any_state joins the tables.
CASE WHEN j.finished_at IS NOT NULL THEN 'finished' WHEN r.id IS NOT NULL THEN 'ready'
	WHEN c.id IS NOT NULL THEN 'claimed' WHEN f.id IS NOT NULL THEN 'failed'
	WHEN s.id IS NOT NULL THEN 'scheduled' WHEN b.id IS NOT NULL THEN 'blocked' END,
f.error, COALESCE(j.finished_at, r.created_at, c.created_at, f.created_at, s.created_at, b.created_at), c.process_id,
CASE WHEN j.finished_at IS NOT NULL THEN {include:ended_as j.id} WHEN k.job_id IS NOT NULL THEN 'cancelling' END
