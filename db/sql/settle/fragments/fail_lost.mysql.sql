-- Fails those of the lost jobs in @dray_lost that were lost too often.
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT x.job_id, :error, :now
FROM JSON_TABLE(@dray_lost, '$[*]' COLUMNS (
	job_id bigint PATH '$.job_id', fails int PATH '$.fails')) x
WHERE x.fails = 1
{include:unless_there solid_queue_failed_executions}, error = VALUES(error)
