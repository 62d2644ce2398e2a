-- The count of the slots of the key {it} that jobs hold which are ready or run.
COUNT(*) FROM dray_slots h FORCE INDEX (PRIMARY)
{include:claim_and_ready_row h.job_id}
WHERE h.concurrency_key = {it} AND (c.id IS NOT NULL OR r.id IS NOT NULL)
