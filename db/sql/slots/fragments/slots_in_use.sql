-- Counts the slots of the key {it} that ready or running jobs hold.
count(*) FROM dray_slots h WHERE h.concurrency_key = {it} AND {include:runs_or_is_ready h.job_id}
