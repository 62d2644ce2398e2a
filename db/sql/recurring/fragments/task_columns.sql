-- What a task is, but for its schedule; {it} is what the columns begin with.
{it}command, {it}class_name, {it}arguments, {it}queue_name, {it}priority, {it}static, {it}description
