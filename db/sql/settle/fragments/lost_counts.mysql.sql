-- Of the lost jobs in @dray_lost: how many are ready again, and how many have failed.
COUNT(*) - COALESCE(SUM(x.fails), 0), COALESCE(SUM(x.fails), 0)
FROM JSON_TABLE(@dray_lost, '$[*]' COLUMNS (fails int PATH '$.fails')) x
