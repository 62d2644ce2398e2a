-- Sets every column of the task to the new one's, but for its schedule.
command = VALUES(command), class_name = VALUES(class_name), arguments = VALUES(arguments),
queue_name = VALUES(queue_name), priority = VALUES(priority), static = 1,
description = VALUES(description)
