-- The tables in one of which job j stands, for any_state; k: its run is being cancelled.
LEFT JOIN solid_queue_ready_executions r ON r.job_id = j.id
LEFT JOIN solid_queue_claimed_executions c ON c.job_id = j.id
LEFT JOIN solid_queue_failed_executions f ON f.job_id = j.id
LEFT JOIN solid_queue_scheduled_executions s ON s.job_id = j.id
LEFT JOIN solid_queue_blocked_executions b ON b.job_id = j.id
LEFT JOIN dray_cancellations k {index:PRIMARY} ON k.job_id = j.id AND k.claim_id = c.id
