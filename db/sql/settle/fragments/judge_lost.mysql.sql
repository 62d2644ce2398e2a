-- Puts the unfinished jobs of the lost runs into @dray_lost, each with what becomes of it: `lost`, it runs
-- again; or, if it was lost more often than its class declares (unless :alike = 1), or else :max_losses,
-- what the end of its run says, `retried` or `discarded`, or else `failed`.
SELECT JSON_ARRAYAGG(JSON_OBJECT('job_id', j.id,
	'outcome', IF(l.losses > COALESCE(IF(:alike = 1, NULL, {include:own_bound j.class_name}),
		:max_losses), COALESCE(x.fate, 'failed'), 'lost'))) INTO @dray_lost
FROM {include:claimed_jobs {include:run_ends}}
STRAIGHT_JOIN dray_losses l FORCE INDEX (PRIMARY) ON l.job_id = j.id
