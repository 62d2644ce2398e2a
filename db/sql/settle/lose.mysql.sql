-- lose(claims, error, max_losses, classes, now) -> released, failed
-- As process_lose, for claims whose process row is gone. One that is gone, whose number stands
-- for another claim now, or whose job is finished already, is not counted.
-- guard
SELECT c.id
FROM (SELECT DISTINCT x.id, x.job_id, x.process_id, x.created_at
	FROM JSON_TABLE(:claims, '$[*]' COLUMNS (id bigint PATH '$.id',
		job_id bigint PATH '$.job_id', process_id bigint PATH '$.process_id',
		created_at datetime(6) PATH '$.created_at')) x) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
	AND c.job_id = x.job_id AND COALESCE(c.process_id, 0) = x.process_id
	AND c.created_at = x.created_at
FOR UPDATE;
INSERT INTO dray_losses (job_id, losses, last_lost_at)
SELECT j.id, 1, :now
FROM {include:named_claims}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
ON DUPLICATE KEY UPDATE losses = dray_losses.losses + 1, last_lost_at = VALUES(last_lost_at);
SELECT JSON_ARRAYAGG(JSON_OBJECT('job_id', j.id,
	'fails', IF(l.losses > COALESCE(p.max_losses, :max_losses), 1, 0))) INTO @dray_lost
FROM {include:named_claims}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
STRAIGHT_JOIN dray_losses l FORCE INDEX (PRIMARY) ON l.job_id = j.id
{include:losses_allowed};
{include:fail_lost};
{include:ready_lost};
{include:drop_claims};
-- rows
SELECT COUNT(*) - COALESCE(SUM(x.fails), 0), COALESCE(SUM(x.fails), 0)
FROM JSON_TABLE(@dray_lost, '$[*]' COLUMNS (fails int PATH '$.fails')) x;
