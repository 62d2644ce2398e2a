-- The task known in the table {it} and the new one are the same, but for their schedules.
{it}.command <=> VALUES(command)
AND {it}.class_name <=> VALUES(class_name)
AND {it}.arguments <=> VALUES(arguments)
AND {it}.queue_name <=> VALUES(queue_name)
AND {it}.priority <=> VALUES(priority)
AND {it}.static
AND {it}.description <=> VALUES(description)
