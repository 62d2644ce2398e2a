-- The slots s that jobs hold of the keys and classes of the jobs in {it}.
{it} CROSS JOIN LATERAL (
	SELECT taken.job_id, taken.created_at FROM dray_slots taken
	WHERE taken.concurrency_key = {it}.concurrency_key AND taken.class_name = {it}.class_name OFFSET 0) s
