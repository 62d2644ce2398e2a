-- The ends x of the lost runs in @dray_lost whose outcome l is {it}, each with its claim c.
{include:run_ends}
STRAIGHT_JOIN JSON_TABLE(@dray_lost, '$[*]' COLUMNS (job_id bigint PATH '$.job_id',
	outcome varchar(255) CHARACTER SET utf8mb4 PATH '$.outcome')) l
	ON l.job_id = c.job_id AND l.outcome = {it}
