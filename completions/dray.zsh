#compdef dray
# Made by `dray help --format zsh`: change the commands instead.

# Names of this kind; behind one of the other words only, if there are any.
_dray_names()
{
	local -a names after=("${@:2}") expl
	local -a behind=(${after:*_dray_line})
	(( $#after == 0 || $#behind > 0 )) || return 1
	names=("${(@f)$(command dray complete --quoted $1 -- "${(@)_dray_line}" \
		2>/dev/null </dev/null)}")
	names=("${(@)names:#}")
	_wanted names expl name compadd -a names
}

_dray()
{
	local context state state_descr line
	typeset -A opt_args
	local -a _dray_line=("${(@)words[2,CURRENT-1]}")
	local -a commands=(
		'start:run the deployment: supervisor, workers, dispatchers'
		'worker:run one worker without a supervisor'
		'dispatcher:run one dispatcher without a supervisor'
		'scheduler:run the scheduler without a supervisor'
		'reload:let a running deployment take over a changed configuration'
		'check:check files, handlers and database; show every setting'
		'db:create, check and print the database'\''s tables'
		'enqueue:enqueue one job, or one for every line of a file'
		'jobs:list jobs'
		'job:print everything about one job'
		'why:tell why a job is not running'
		'retry:put failed jobs back on their queues'
		'discard:delete jobs that are not wanted any more'
		'run-now:make scheduled jobs due at once'
		'move:move jobs to another queue'
		'reprioritize:give jobs another priority'
		'clear:delete finished jobs that are older than a while'
		'queues:list the queues with their jobs by state'
		'stats:print the whole system in figures'
		'top:show queues and processes live'
		'pause:let no worker take jobs from a queue'
		'resume:let workers take jobs from a paused queue again'
		'recurring:show, run, pause and change recurring tasks, explain schedules'
		'processes:list supervisors, workers and dispatchers of every host'
		'audit:list what people have done to queues and jobs'
		'doctor:find what is wrong or does not run, and mend the tables'
		'version:print the version and the databases built in'
		'help:print all commands, or how one is used'
	)
	_arguments -C \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'(-)1:command:->command' '(-)*::argument:->argument'
	case $state in
	command) _describe command commands ;;
	argument)
		case $line[1] in
		start) _arguments \
			'--migrate[create or update the tables first]' \
			'-m[create or update the tables first]' \
			'--pidfile=[refuse to start beside a living supervisor]:PATH:_files' \
			'--skip-recurring[without the scheduler and recurring.yml]' \
			'--only-recurring[the scheduler alone]' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		worker) _arguments \
			'--entry=[which one of workers in queue.yml (default 1)]:NUMBER:' \
			'--queues=[queues instead of the entry'\''s: first,second*]:LIST: _dray_names queues' \
			'--threads=[jobs at once instead of the entry'\''s]:NUMBER:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		dispatcher) _arguments \
			'--entry=[which one of dispatchers in queue.yml (default 1)]:NUMBER:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		scheduler) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		reload) _arguments \
			'--pidfile=[of the supervisor (default supervisor_pidfile)]:PATH:_files' \
			'--reason=[why, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		check) _arguments \
			'--no-database[look at the files and handlers only]' \
			'--skip-recurring[without the scheduler and recurring.yml]' \
			'--only-recurring[the scheduler alone]' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		db) _arguments \
			'--dialect=[for sql: sqlite, postgresql or mysql]:NAME:' \
			'--create-folders[for migrate: make the folders that an SQLite file is to be in, too]' \
			'--operation=[for sql: what dray does to the tables under that name (claim, enqueue, ...) instead of how it makes them]:NAME:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'1:word:(migrate status verify sql)' \
			'*:argument:_files' ;;
		enqueue) _arguments \
			'--queue=[put it there (default: the class'\''s in jobs.yml)]:QUEUE: _dray_names queues' \
			'--priority=[smaller runs first (default: the class'\''s in jobs.yml)]:N:' \
			'--at=[run it then: 2026-12-24T18:00:00Z (UTC without a zone), 18:00, "tomorrow 9am", "noon Europe/Madrid"]:TIME:' \
			'--in=[run it so much later: 90s, 1h30m, 2d]:DURATION:' \
			'--json-args=[arguments as JSON: an array of positional ones, or an object of named ones]:JSON:' \
			'--json-keywords=[named arguments as a JSON object, also beside --json-args with an array]:JSON:' \
			'--concurrency-key=[limit jobs that share this key]:KEY:' \
			'--bulk=[one job a line from this file, - for standard input]:FILE:_files' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'1:name: _dray_names classes' \
			'*:argument:_files' ;;
		jobs) _arguments \
			'--state=[ready, scheduled, claimed, blocked, failed or finished]:STATE:' \
			'--queue=[of this queue]:QUEUE: _dray_names queues' \
			'--class=[of this class]:CLASS: _dray_names classes' \
			'--key=[with this concurrency key]:KEY:' \
			'--since=[enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday, 18:00]:TIME:' \
			'--until=[enqueued before this time]:TIME:' \
			'--text=[with this text, in either case, anywhere in the payload or the error]:TEXT:' \
			'--after=[with a number above this one]:ID:' \
			'--before=[with a number below this one]:ID:' \
			'--limit=[at most so many (default 50, at most 10000)]:N:' \
			'--oldest[the oldest first]' \
			'--newest[the newest first (default)]' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		job) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		why) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		retry) _arguments \
			'--all[every failed job]' \
			'--state=[only failed is meant anyway, and the same as --all]:STATE:' \
			'--queue=[of this queue]:QUEUE: _dray_names queues' \
			'--class=[of this class]:CLASS: _dray_names classes' \
			'--key=[with this concurrency key]:KEY:' \
			'--since=[enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday, 18:00]:TIME:' \
			'--until=[enqueued before this time]:TIME:' \
			'--text=[with this text, in either case, anywhere in the payload or the error]:TEXT:' \
			'--after=[with a number above this one]:ID:' \
			'--before=[with a number below this one]:ID:' \
			'--dry-run[count them, show some, and change nothing]' \
			'--yes[do not ask, as on no terminal one must]' \
			'--reason=[why, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		discard) _arguments \
			'--state=[every job that is ready, scheduled, blocked or failed]:STATE:' \
			'--queue=[of this queue]:QUEUE: _dray_names queues' \
			'--class=[of this class]:CLASS: _dray_names classes' \
			'--key=[with this concurrency key]:KEY:' \
			'--since=[enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday, 18:00]:TIME:' \
			'--until=[enqueued before this time]:TIME:' \
			'--text=[with this text, in either case, anywhere in the payload or the error]:TEXT:' \
			'--after=[with a number above this one]:ID:' \
			'--before=[with a number below this one]:ID:' \
			'--dry-run[count them, show some, and change nothing]' \
			'--yes[do not ask, as on no terminal one must]' \
			'--reason=[why, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		run-now) _arguments \
			'--all[every scheduled job]' \
			'--state=[only scheduled is meant anyway, and the same as --all]:STATE:' \
			'--queue=[of this queue]:QUEUE: _dray_names queues' \
			'--class=[of this class]:CLASS: _dray_names classes' \
			'--key=[with this concurrency key]:KEY:' \
			'--since=[enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday, 18:00]:TIME:' \
			'--until=[enqueued before this time]:TIME:' \
			'--text=[with this text, in either case, anywhere in the payload or the error]:TEXT:' \
			'--after=[with a number above this one]:ID:' \
			'--before=[with a number below this one]:ID:' \
			'--dry-run[count them, show some, and change nothing]' \
			'--yes[do not ask, as on no terminal one must]' \
			'--reason=[why, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		move) _arguments \
			'--queue=[the queue to move them to]:QUEUE: _dray_names queues' \
			'--all[every job that waits]' \
			'--state=[ready, scheduled, blocked or failed (without it: all but failed)]:STATE:' \
			'--from=[of this queue]:QUEUE: _dray_names queues' \
			'--class=[of this class]:CLASS: _dray_names classes' \
			'--key=[with this concurrency key]:KEY:' \
			'--since=[enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday, 18:00]:TIME:' \
			'--until=[enqueued before this time]:TIME:' \
			'--text=[with this text, in either case, anywhere in the payload or the error]:TEXT:' \
			'--after=[with a number above this one]:ID:' \
			'--before=[with a number below this one]:ID:' \
			'--dry-run[count them, show some, and change nothing]' \
			'--yes[do not ask, as on no terminal one must]' \
			'--reason=[why, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		reprioritize) _arguments \
			'--priority=[the new priority; smaller runs first]:N:' \
			'--all[every job that waits]' \
			'--state=[ready, scheduled, blocked or failed (without it: all but failed)]:STATE:' \
			'--queue=[of this queue]:QUEUE: _dray_names queues' \
			'--class=[of this class]:CLASS: _dray_names classes' \
			'--key=[with this concurrency key]:KEY:' \
			'--since=[enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday, 18:00]:TIME:' \
			'--until=[enqueued before this time]:TIME:' \
			'--text=[with this text, in either case, anywhere in the payload or the error]:TEXT:' \
			'--after=[with a number above this one]:ID:' \
			'--before=[with a number below this one]:ID:' \
			'--dry-run[count them, show some, and change nothing]' \
			'--yes[do not ask, as on no terminal one must]' \
			'--reason=[why, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		clear) _arguments \
			'--older-than=[finished so long ago (default: clear_finished_jobs_after, 1 day)]:DURATION:' \
			'--queue=[of this queue]:QUEUE: _dray_names queues' \
			'--class=[of this class]:CLASS: _dray_names classes' \
			'--dry-run[count them and change nothing]' \
			'--reason=[why, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		queues) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		stats) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		top) _arguments \
			'--once[print it once, as when it is not a terminal]' \
			'--interval=[between two looks (default 2s)]:DURATION:' \
			'--sort=[name, status, ready (default), scheduled, claimed, blocked, failed, latency, minute, hour or workers; numbers from the greatest]:COLUMN:' \
			'--reverse[the other way round]' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		pause) _arguments \
			'--all[every queue, also those that appear later]' \
			'--class=[not a queue: no worker takes jobs of this class]:CLASS: _dray_names classes' \
			'--process=[not a queue: this worker (`dray processes`) takes no jobs]:NAME: _dray_names processes' \
			'--reason=[why, for `dray queues` and `dray audit`]:TEXT:' \
			'--for=[it ends by itself after so long (from 1s)]:DURATION:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'1:name: _dray_names queues' \
			'*:argument:_files' ;;
		resume) _arguments \
			'--all[every paused queue and every pattern]' \
			'--class=[not a queue, but this class]:CLASS: _dray_names classes' \
			'--process=[not a queue, but this worker]:NAME: _dray_names processes' \
			'--reason=[why, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'1:name: _dray_names paused' \
			'*:argument:_files' ;;
		recurring) _arguments \
			'--zone=[where the schedule names none (default time_zone)]:ZONE:' \
			'--after=[list runs after this time (default now)]:TIME:' \
			'--before=[history: only occurrences before this time]:TIME:' \
			'--number=[how many runs to list (default 5; history 20)]:N:' \
			'-n+[how many runs to list (default 5; history 20)]:N:' \
			'--key=[the task'\''s key, which decides what `~` stands for]:KEY:' \
			'--compatible[read schedules as Solid Queue does, without extensions]' \
			'--strict[refuse schedules that do not mean what they say]' \
			'--reason=[why something is changed, for `dray audit` and list]:TEXT:' \
			'--dry-run[report what would be done, and change nothing]' \
			'--yes[remove: do not ask (required when there is no terminal)]' \
			'--schedule=[when it runs (see explain)]:SCHEDULE:' \
			'--class=[class of its jobs]:CLASS: _dray_names classes' \
			'--command=[instead of a class: a program and its arguments, run without a shell]:LINE:' \
			'--args=[arguments of its jobs: an array, or an object of named ones]:JSON:' \
			'--queue=[where its jobs go (default: its class'\''s)]:QUEUE: _dray_names queues' \
			'--priority=[smaller runs first (default: its class'\''s)]:N:' \
			'--description=[a note for people]:TEXT:' \
			'--time-zone=[if the schedule names none (default: time_zone of queue.yml)]:ZONE:' \
			'--dst-gap=[a time that does not exist: default, skip or next_valid]:WHAT:' \
			'--dst-overlap=[a time that exists twice: default, first or both]:WHAT:' \
			'--misfire=[missed occurrences: once, skip or all]:WHAT:' \
			'--misfire-limit=[with all: how many at most]:N:' \
			'--misfire-window=[older occurrences are ignored]:DURATION:' \
			'--overlap=[while its previous job is unfinished: allow, skip or queue]:WHAT:' \
			'--jitter=[delay each job by up to this much]:DURATION:' \
			'--enabled=[false: keep the task, but do not run it]:BOOL:' \
			'--start-at=[no occurrence before this time]:TIME:' \
			'--end-at=[no occurrence after this time]:TIME:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'1:word:(list next explain history run pause resume add change remove)' \
			'2:name: _dray_names tasks next history run pause resume change remove' \
			'*:argument:_files' ;;
		processes) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		audit) _arguments \
			'--since=[not before this time: 2026-12-24T18:00:00Z, 1h, yesterday, "9am UTC"]:TIME:' \
			'--action=[pause, resume, retry, discard, run-now, move, reprioritize, clear, doctor, reload, or of recurring tasks "run task", and so pause, resume, add, change and remove]:ACTION:' \
			'--limit=[at most so many (default 50, at most 10000)]:N:' \
			'--before=[before this one: the next page]:ID:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		doctor) _arguments \
			'--repair[mend what is found]' \
			'--reason=[why it is mended, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		version) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		help) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[go there first: relative paths begin there]:DIR:' \
			'--environment=[section of the files (default development)]:NAME:' \
			'-e+[section of the files (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[all columns in full, even if a terminal'\''s lines wrap]' \
			'--color[colour even into a pipe]' \
			'--no-color[no colour even on a terminal]' \
			'--quiet[no progress, and no warnings but the log'\''s]' \
			'-q[no progress, and no warnings but the log'\''s]' \
			'--verbose[say more]' \
			'-v[say more]' \
			'*:argument:_files' ;;
		esac ;;
	esac
}
_dray "$@"
