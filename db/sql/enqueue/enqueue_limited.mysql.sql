-- enqueue_limited(jobs, now) -> job_id
-- Inserts jobs (a JSON array) in order: due ones become ready, or blocked, until slots_admit,
-- where they are limited; later ones become scheduled.
{include:insert_jobs};
{include:find_enqueued};
{include:ready_enqueued j.scheduled_at <= :now AND j.concurrency_key IS NULL};
{include:insert_blocked}
FROM {include:enqueued_jobs}
{include:first_limit}
WHERE j.scheduled_at <= :now AND j.concurrency_key IS NOT NULL
ORDER BY j.id
{include:unless_there solid_queue_blocked_executions};
{include:schedule_enqueued};
-- rows
{include:enqueued_ids};
