-- Puts the unfinished jobs of the claims {it} into @dray_lost, each with whether it was lost too
-- often: more often than its class declares (unless :alike = 1), or else :max_losses.
SELECT JSON_ARRAYAGG(JSON_OBJECT('job_id', j.id,
	'fails', IF(l.losses > COALESCE(IF(:alike = 1, NULL, {include:own_bound j.class_name}),
		:max_losses), 1, 0))) INTO @dray_lost
FROM {include:claimed_jobs {it}}
STRAIGHT_JOIN dray_losses l FORCE INDEX (PRIMARY) ON l.job_id = j.id
