-- Counts the slots of the key {it} that ready or running jobs hold.
COUNT(*) FROM dray_slots h FORCE INDEX (PRIMARY)
{include:claim_and_ready_row h.job_id}
WHERE h.concurrency_key = {it} AND (c.id IS NOT NULL OR r.id IS NOT NULL)
