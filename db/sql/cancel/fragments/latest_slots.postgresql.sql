-- The slots s that jobs hold of the keys and classes of the jobs in `latest`.
latest CROSS JOIN LATERAL (
	SELECT taken.job_id FROM dray_slots taken
	WHERE taken.concurrency_key = latest.concurrency_key AND taken.class_name = latest.class_name OFFSET 0) s
