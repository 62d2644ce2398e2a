-- Where an earlier run of the job was cancelled, its note becomes this one.
ON CONFLICT (job_id) DO UPDATE SET claim_id = excluded.claim_id,
	process_id = excluded.process_id, requested_at = excluded.requested_at,
	requested_by = excluded.requested_by, reason = excluded.reason
