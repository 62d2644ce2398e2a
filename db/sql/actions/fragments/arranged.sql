-- The queue and the priority that are asked for; null leaves what is there.
queue_name = COALESCE(:queue, queue_name), priority = COALESCE(:priority, priority)
