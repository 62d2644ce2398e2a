-- lose(claims, error, max_losses, classes, now) -> released, failed
-- As process_lose, for claims whose process row is gone. One that is gone, whose number stands
-- for another claim now, or whose job is finished already, is not counted.
-- The + keeps SQLite from starting at the index on finished_at.
INSERT INTO dray_losses (job_id, losses, last_lost_at)
SELECT j.id, 1, :now
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
WHERE {include:claim_c_is_named}
ON CONFLICT (job_id) DO UPDATE SET losses = losses + 1, last_lost_at = excluded.last_lost_at;
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT j.id, :error, :now
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
JOIN dray_losses l ON l.job_id = j.id
WHERE {include:claim_c_is_named}
	AND l.losses > {include:losses_survived}
ON CONFLICT (job_id) DO UPDATE SET error = excluded.error;
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
JOIN dray_losses l ON l.job_id = j.id
WHERE {include:claim_c_is_named}
	AND l.losses <= {include:losses_survived}
ON CONFLICT (job_id) DO NOTHING;
-- rows
SELECT count(r.id), count(*) - count(r.id)
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
LEFT JOIN solid_queue_ready_executions r ON r.job_id = c.job_id
WHERE {include:claim_c_is_named};
DELETE FROM solid_queue_claimed_executions
WHERE {include:claim_is_named};
