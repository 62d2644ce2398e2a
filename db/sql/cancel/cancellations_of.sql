-- cancellations_of(jobs) -> job_id
-- Lists those of these jobs of which a run was cancelled, now or earlier.
-- read
-- rows
SELECT job_id FROM dray_cancellations WHERE job_id {in:jobs};
