-- Of the lost jobs in @dray_lost: how many run again, and how many have ended.
COALESCE(SUM(x.outcome IN ('lost', 'retried')), 0),
	COALESCE(SUM(x.outcome IN ('failed', 'discarded')), 0)
FROM JSON_TABLE(@dray_lost, '$[*]' COLUMNS (
	outcome varchar(255) CHARACTER SET utf8mb4 PATH '$.outcome')) x
