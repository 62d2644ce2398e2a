-- recurring_paused() -> key, paused_at, resumed_at
-- Lists the tasks that are paused (paused_at is not null) or have been.
-- read
-- rows
SELECT task_key, paused_at, resumed_at
FROM dray_recurring_tasks
WHERE paused_at IS NOT NULL OR resumed_at IS NOT NULL
ORDER BY task_key;
