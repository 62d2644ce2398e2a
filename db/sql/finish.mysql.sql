-- finish(claims, now) -> claim_id
-- Marks the jobs of these claims finished and drops the claims. A claim that is gone was given to
-- somebody else: nothing is done for it and it is not returned.
-- guard
-- rows
SELECT c.id
FROM (SELECT DISTINCT x.id FROM JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$')) x) d
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = d.id
FOR UPDATE;
UPDATE JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
SET j.finished_at = :now, j.updated_at = :now;
DELETE c
FROM JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id;
