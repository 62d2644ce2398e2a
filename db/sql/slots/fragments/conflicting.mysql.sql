-- The blocked jobs of those of these keys for which on_conflict says more than to block, each with what its
-- own class says.
SELECT b.id, b.job_id, b.created_at, l.on_conflict, j.class_name, b.concurrency_key
FROM (SELECT DISTINCT k.name FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key',
	class_name varchar(255) {as_jobs} PATH '$.class_name',
	position int PATH '$.position')) k
	STRAIGHT_JOIN dray_classes l FORCE INDEX (PRIMARY)
		ON l.class_name = k.class_name AND l.position = k.position
	WHERE l.on_conflict <> 'block') x
STRAIGHT_JOIN solid_queue_blocked_executions b
	FORCE INDEX (index_solid_queue_blocked_executions_for_release)
	ON b.concurrency_key = x.name
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = b.job_id
STRAIGHT_JOIN dray_classes l FORCE INDEX (PRIMARY)
	ON l.class_name = j.class_name AND l.position = COALESCE((
		SELECT n.position FROM dray_keys n FORCE INDEX (PRIMARY)
		WHERE n.job_id = b.job_id
			AND n.concurrency_key = b.concurrency_key), 0)
