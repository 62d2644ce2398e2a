-- fail(claims, failures, now) -> claim_id
-- Moves these claims' jobs to failed with their errors (failures: [{"claim_id", "error"}]). A claim
-- that is gone was given to somebody else: nothing is done for it and it is not returned.
-- guard
-- rows
SELECT c.id
FROM (SELECT DISTINCT x.id FROM JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$')) x) d
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = d.id
FOR UPDATE;
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT c.job_id, x.error, :now
FROM JSON_TABLE(:failures, '$[*]' COLUMNS (
	claim_id bigint PATH '$.claim_id',
	error longtext CHARACTER SET utf8mb4 PATH '$.error')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.claim_id
ON DUPLICATE KEY UPDATE error = VALUES(error);
DELETE c
FROM JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id;
