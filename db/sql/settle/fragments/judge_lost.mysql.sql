-- Puts the unfinished jobs of the claims {it} into @dray_lost, each with whether it was lost too
-- often: more often than :classes says of its class, or else :max_losses.
SELECT JSON_ARRAYAGG(JSON_OBJECT('job_id', j.id,
	'fails', IF(l.losses > COALESCE(p.max_losses, :max_losses), 1, 0))) INTO @dray_lost
FROM {include:claimed_jobs {it}}
STRAIGHT_JOIN dray_losses l FORCE INDEX (PRIMARY) ON l.job_id = j.id
LEFT JOIN JSON_TABLE(:classes, '$[*]' COLUMNS (
	class_name varchar(255) {as_jobs} PATH '$.class_name',
	max_losses int PATH '$.max_losses')) p
	ON CAST(p.class_name AS BINARY) = CAST(j.class_name AS BINARY)
