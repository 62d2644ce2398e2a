-- The queue and the priority that are asked for, of the row {it}; null leaves what is there.
{it}.queue_name = COALESCE(:queue, {it}.queue_name), {it}.priority = COALESCE(:priority, {it}.priority)
