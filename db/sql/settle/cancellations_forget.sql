-- cancellations_forget(jobs, claims) ->
-- Drops the notes that these jobs were cancelled in these runs.

-- @mysql
DELETE k
FROM {include:ids :jobs} x
STRAIGHT_JOIN dray_cancellations k FORCE INDEX (PRIMARY) ON k.job_id = x.id
STRAIGHT_JOIN {include:ids :claims} y ON y.id = k.claim_id;

-- @postgresql @sqlite
DELETE FROM dray_cancellations WHERE job_id {in:jobs} AND claim_id {in:claims};
