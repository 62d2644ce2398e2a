-- The slots s that jobs hold of the keys and classes of the jobs in `latest`.
{include:latest}
STRAIGHT_JOIN dray_slots s FORCE INDEX (PRIMARY)
	ON s.concurrency_key = latest.name AND s.class_name = latest.class_name
