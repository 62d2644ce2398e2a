-- slots_of(jobs) -> concurrency_key, class_name, position
-- The keys that these jobs are limited by.
-- read
-- rows
SELECT j.concurrency_key, j.class_name, 0
FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
WHERE j.concurrency_key IS NOT NULL
GROUP BY j.concurrency_key, j.class_name;
