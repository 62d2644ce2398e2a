-- Sets every column of the task to the new one's, but for its schedule.
command = excluded.command, class_name = excluded.class_name, arguments = excluded.arguments,
queue_name = excluded.queue_name, priority = excluded.priority, static = excluded.static,
description = excluded.description, updated_at = excluded.updated_at
