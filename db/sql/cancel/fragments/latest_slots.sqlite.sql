-- The slots s that jobs hold of the keys and classes of the jobs in `latest`.
latest JOIN dray_slots s
	ON s.concurrency_key = latest.concurrency_key AND s.class_name = latest.class_name
