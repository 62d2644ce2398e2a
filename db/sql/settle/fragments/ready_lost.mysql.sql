-- Makes those of the lost jobs in @dray_lost ready again that were not lost too often.
{include:insert_ready}
FROM JSON_TABLE(@dray_lost, '$[*]' COLUMNS (
	job_id bigint PATH '$.job_id', fails int PATH '$.fails')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.job_id
WHERE x.fails = 0
{include:unless_there solid_queue_ready_executions}
