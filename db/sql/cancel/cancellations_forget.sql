-- cancellations_forget(jobs, claims) ->
-- Drops the notes that these jobs were cancelled in these runs.
DELETE FROM dray_cancellations WHERE job_id {in:jobs} AND claim_id {in:claims};
