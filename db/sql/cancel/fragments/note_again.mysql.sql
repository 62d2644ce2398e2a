-- Where an earlier run of the job was cancelled, its note becomes this one.
ON DUPLICATE KEY UPDATE
	claim_id = VALUES(claim_id), process_id = VALUES(process_id),
	requested_at = VALUES(requested_at), requested_by = VALUES(requested_by),
	reason = VALUES(reason)
