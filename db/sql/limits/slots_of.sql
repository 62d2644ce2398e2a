-- slots_of(jobs) -> slot_key, several, cancels
-- Lists the keys that these jobs are limited by. several: there are jobs with several keys in
-- the database; cancels: the class has a limit with on_conflict "cancel_running".
-- read

-- @mysql
-- rows
SELECT j.concurrency_key, j.class_name, 0,
	CASE WHEN EXISTS (SELECT 1 FROM dray_keys) THEN 1 ELSE 0 END,
	{include:class_cancels}
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
WHERE j.concurrency_key IS NOT NULL
GROUP BY j.concurrency_key, j.class_name
UNION ALL
SELECT k.concurrency_key, j.class_name, k.position, 1,
	{include:class_cancels}
FROM {include:ids :jobs} x
STRAIGHT_JOIN dray_keys k FORCE INDEX (PRIMARY) ON k.job_id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = k.job_id
GROUP BY k.concurrency_key, j.class_name, k.position;

-- @postgresql @sqlite
-- rows
SELECT j.concurrency_key, j.class_name, 0,
	CASE WHEN EXISTS (SELECT 1 FROM dray_keys) THEN 1 ELSE 0 END,
	{include:class_cancels}
FROM solid_queue_jobs j
WHERE j.id {in:jobs} AND j.concurrency_key IS NOT NULL
GROUP BY j.concurrency_key, j.class_name
UNION ALL
SELECT k.concurrency_key, j.class_name, k.position, 1,
	{include:class_cancels}
FROM dray_keys k
JOIN solid_queue_jobs j ON j.id = k.job_id
WHERE k.job_id {in:jobs}
GROUP BY k.concurrency_key, j.class_name, k.position;
