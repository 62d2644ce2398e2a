-- finish_and_delete(claims) -> claim_id
-- finish for preserve_finished_jobs: false: the jobs' rows go, and the claims with them.
-- guard
-- rows
SELECT c.id
FROM (SELECT DISTINCT x.id FROM JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$')) x) d
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = d.id
FOR UPDATE;
DELETE j
FROM JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id;
