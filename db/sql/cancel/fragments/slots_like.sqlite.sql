-- The slots s that jobs hold of the keys and classes of the jobs in {it}.
{it} CROSS JOIN dray_slots s
	ON s.concurrency_key = {it}.concurrency_key AND s.class_name = {it}.class_name
