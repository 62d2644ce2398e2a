-- The count of the slots of the key {it} that jobs hold which are ready or run.
count(*) FROM dray_slots h WHERE h.concurrency_key = {it} AND {include:runs_or_is_ready h.job_id}
