-- enqueue(jobs, now) -> job_id
-- Inserts jobs (a JSON array) in order: due ones become ready, later ones scheduled. None of
-- them is limited.
{include:insert_jobs};
{include:ready_enqueued j.scheduled_at <= :now};
{include:schedule_enqueued};
-- rows
{include:enqueued_ids};
