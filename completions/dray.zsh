#compdef dray
# Made by `dray help --format zsh`: change the commands instead.

# Completes names of this kind; if other words are given, only after one of them.
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
		'start:run the deployment: a supervisor and its processes'
		'worker:run one worker without a supervisor'
		'dispatcher:run one dispatcher without a supervisor'
		'scheduler:run the scheduler without a supervisor'
		'reload:make a running deployment read its changed configuration'
		'check:check the files, handlers and database; print the settings'
		'db:create, check and print the database'\''s tables'
		'enqueue:enqueue one job, or one for every line of a file'
		'jobs:list jobs'
		'job:print everything about one job'
		'why:explain why a job is not running'
		'errors:list why jobs have failed, by cause'
		'retry:put failed jobs back on their queues'
		'cancel:end jobs before they have done their work'
		'discard:delete jobs that are no longer wanted'
		'run-now:make scheduled jobs due at once'
		'move:move jobs to another queue'
		'reprioritize:give jobs another priority'
		'clear:delete old finished jobs'
		'queues:list the queues with their jobs by state'
		'stats:print figures for the whole system'
		'top:show queues and processes live'
		'pause:keep workers from claiming the jobs of a queue'
		'resume:let workers claim the jobs of a paused queue again'
		'recurring:show, run, pause and change recurring tasks, explain schedules'
		'processes:list the processes of all hosts'
		'audit:list what people have done to queues and jobs'
		'doctor:find what is wrong or does not run, and repair the tables'
		'version:print the version and the supported databases'
		'help:list the commands, or print the help of one'
	)
	_arguments -C \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'(-)1:command:->command' '(-)*::argument:->argument'
	case $state in
	command) _describe command commands ;;
	argument)
		case $line[1] in
		start) _arguments \
			'--migrate[create or update the tables first]' \
			'-m[create or update the tables first]' \
			'--pidfile=[pidfile; refuse to start while the supervisor it names is running]:PATH:_files' \
			'--wait[wait also while the server refuses the login, the database or its tables]' \
			'--skip-recurring[leave out the scheduler and recurring.yml]' \
			'--only-recurring[only the scheduler]' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		worker) _arguments \
			'--entry=[which entry of workers in queue.yml to run (default 1)]:NUMBER:' \
			'--queues=[serve these queues instead of the entry'\''s: first,second*]:LIST: _dray_names queues' \
			'--threads=[number of jobs to run at once, instead of the entry'\''s]:NUMBER:' \
			'--wait[wait also while the server refuses the login, the database or its tables]' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		dispatcher) _arguments \
			'--entry=[which entry of dispatchers in queue.yml to run (default 1)]:NUMBER:' \
			'--wait[wait also while the server refuses the login, the database or its tables]' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		scheduler) _arguments \
			'--wait[wait also while the server refuses the login, the database or its tables]' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		reload) _arguments \
			'--pidfile=[the supervisor'\''s pidfile (default: the setting supervisor_pidfile)]:PATH:_files' \
			'--reason=[the reason, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		check) _arguments \
			'--no-database[check only the files and handlers]' \
			'--all[print also the settings that have their defaults]' \
			'--skip-recurring[leave out the scheduler and recurring.yml]' \
			'--only-recurring[only the scheduler]' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		db) _arguments \
			'--dialect=[for sql: sqlite, postgresql or mysql]:NAME:' \
			'--create-folders[for migrate: also create the folders of an SQLite file]' \
			'--operation=[for sql: print the statements of this operation (claim, enqueue, ...), not those that create the tables]:NAME:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'1:word:(migrate status verify sql)' \
			'*:argument:_files' ;;
		enqueue) _arguments \
			'--queue=[queue to put the job on (default: that of its class in jobs.yml)]:QUEUE: _dray_names queues' \
			'--priority=[smaller numbers run first (default: that of its class in jobs.yml)]:N:' \
			'--at=[run it at this time: 2026-12-24T18:00:00Z (UTC without a zone), 18:00, "tomorrow 9am", "noon Europe/Madrid"]:TIME:' \
			'--in=[run it after this delay: 90s, 1h30m, 2d]:DURATION:' \
			'--timeout=[how long a run of it may take (default: that of its class in jobs.yml)]:DURATION:' \
			'--json-args=[arguments as JSON: an array of positional ones, or an object of named ones]:JSON:' \
			'--json-keywords=[named arguments as a JSON object; may be combined with an array in --json-args]:JSON:' \
			'--named[every NAME=VALUE is a named argument]' \
			'--text[every argument is a text, also NAME=VALUE]' \
			'--concurrency-key=[limit the jobs that share this key]:KEY:' \
			'--bulk=[enqueue one job for each line of this file (- for standard input)]:FILE:_files' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'1:name: _dray_names classes' \
			'*:argument:_files' ;;
		jobs) _arguments \
			'--state=[only jobs in this state: ready, scheduled, claimed, blocked, failed or finished]:STATE:' \
			'--slow[only jobs that have been running for five minutes, and for ten times as long as jobs of their class usually run on their worker, which must have seen 20 of them end since it started]' \
			'--error=[only failed jobs whose error is of this group of `dray errors`]:GROUP:' \
			'--queue=[only jobs of this queue]:QUEUE: _dray_names queues' \
			'--class=[only jobs of this class]:CLASS: _dray_names classes' \
			'--key=[only jobs with this concurrency key]:KEY:' \
			'--since=[only jobs enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday]:TIME:' \
			'--until=[only jobs enqueued before this time]:TIME:' \
			'--text=[only jobs with this text in the payload or the error, ignoring case]:TEXT:' \
			'--after=[only jobs with a number above this one]:ID:' \
			'--before=[only jobs with a number below this one]:ID:' \
			'--limit=[list at most this many (default 50, maximum 10000)]:N:' \
			'--oldest[list the oldest first]' \
			'--newest[list the newest first (default)]' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		job) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		why) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		errors) _arguments \
			'--since=[only failures at this time or later: 2026-12-24T18:00:00Z, 7d ago, yesterday (default: 24h ago)]:TIME:' \
			'--limit=[list at most this many groups (default 50, maximum 10000)]:N:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		retry) _arguments \
			'--all[every failed job]' \
			'--state=[only `failed`, which is the same as --all]:STATE:' \
			'--error=[only failed jobs whose error is of this group of `dray errors`]:GROUP:' \
			'--queue=[only jobs of this queue]:QUEUE: _dray_names queues' \
			'--class=[only jobs of this class]:CLASS: _dray_names classes' \
			'--key=[only jobs with this concurrency key]:KEY:' \
			'--since=[only jobs enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday]:TIME:' \
			'--until=[only jobs enqueued before this time]:TIME:' \
			'--text=[only jobs with this text in the payload or the error, ignoring case]:TEXT:' \
			'--after=[only jobs with a number above this one]:ID:' \
			'--before=[only jobs with a number below this one]:ID:' \
			'--dry-run[count the jobs and list some of them, but change nothing]' \
			'--yes[do not ask (required when there is no terminal)]' \
			'--reason=[the reason, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		cancel) _arguments \
			'--state=[every job in this state: ready, scheduled, blocked or claimed (default with --class: all)]:STATE:' \
			'--queue=[only jobs of this queue]:QUEUE: _dray_names queues' \
			'--class=[only jobs of this class]:CLASS: _dray_names classes' \
			'--key=[only jobs with this concurrency key]:KEY:' \
			'--since=[only jobs enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday]:TIME:' \
			'--until=[only jobs enqueued before this time]:TIME:' \
			'--text=[only jobs with this text in the payload or the error, ignoring case]:TEXT:' \
			'--after=[only jobs with a number above this one]:ID:' \
			'--before=[only jobs with a number below this one]:ID:' \
			'--dry-run[count the jobs and list some of them, but change nothing]' \
			'--yes[do not ask (required when there is no terminal)]' \
			'--reason=[the reason, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		discard) _arguments \
			'--state=[every job in this state: ready, scheduled, blocked or failed (default with --class: all but failed)]:STATE:' \
			'--error=[only failed jobs whose error is of this group of `dray errors`]:GROUP:' \
			'--queue=[only jobs of this queue]:QUEUE: _dray_names queues' \
			'--class=[only jobs of this class]:CLASS: _dray_names classes' \
			'--key=[only jobs with this concurrency key]:KEY:' \
			'--since=[only jobs enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday]:TIME:' \
			'--until=[only jobs enqueued before this time]:TIME:' \
			'--text=[only jobs with this text in the payload or the error, ignoring case]:TEXT:' \
			'--after=[only jobs with a number above this one]:ID:' \
			'--before=[only jobs with a number below this one]:ID:' \
			'--dry-run[count the jobs and list some of them, but change nothing]' \
			'--yes[do not ask (required when there is no terminal)]' \
			'--reason=[the reason, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		run-now) _arguments \
			'--all[every scheduled job]' \
			'--state=[only `scheduled`, which is the same as --all]:STATE:' \
			'--queue=[only jobs of this queue]:QUEUE: _dray_names queues' \
			'--class=[only jobs of this class]:CLASS: _dray_names classes' \
			'--key=[only jobs with this concurrency key]:KEY:' \
			'--since=[only jobs enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday]:TIME:' \
			'--until=[only jobs enqueued before this time]:TIME:' \
			'--text=[only jobs with this text in the payload or the error, ignoring case]:TEXT:' \
			'--after=[only jobs with a number above this one]:ID:' \
			'--before=[only jobs with a number below this one]:ID:' \
			'--dry-run[count the jobs and list some of them, but change nothing]' \
			'--yes[do not ask (required when there is no terminal)]' \
			'--reason=[the reason, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		move) _arguments \
			'--queue=[the queue to move them to]:QUEUE: _dray_names queues' \
			'--all[every waiting job]' \
			'--state=[only jobs in this state: ready, scheduled, blocked or failed (default: all but failed)]:STATE:' \
			'--from=[only jobs of this queue]:QUEUE: _dray_names queues' \
			'--class=[only jobs of this class]:CLASS: _dray_names classes' \
			'--key=[only jobs with this concurrency key]:KEY:' \
			'--since=[only jobs enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday]:TIME:' \
			'--until=[only jobs enqueued before this time]:TIME:' \
			'--text=[only jobs with this text in the payload or the error, ignoring case]:TEXT:' \
			'--after=[only jobs with a number above this one]:ID:' \
			'--before=[only jobs with a number below this one]:ID:' \
			'--dry-run[count the jobs and list some of them, but change nothing]' \
			'--yes[do not ask (required when there is no terminal)]' \
			'--reason=[the reason, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		reprioritize) _arguments \
			'--priority=[the new priority; smaller numbers run first]:N:' \
			'--all[every waiting job]' \
			'--state=[only jobs in this state: ready, scheduled, blocked or failed (default: all but failed)]:STATE:' \
			'--queue=[only jobs of this queue]:QUEUE: _dray_names queues' \
			'--class=[only jobs of this class]:CLASS: _dray_names classes' \
			'--key=[only jobs with this concurrency key]:KEY:' \
			'--since=[only jobs enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday]:TIME:' \
			'--until=[only jobs enqueued before this time]:TIME:' \
			'--text=[only jobs with this text in the payload or the error, ignoring case]:TEXT:' \
			'--after=[only jobs with a number above this one]:ID:' \
			'--before=[only jobs with a number below this one]:ID:' \
			'--dry-run[count the jobs and list some of them, but change nothing]' \
			'--yes[do not ask (required when there is no terminal)]' \
			'--reason=[the reason, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		clear) _arguments \
			'--older-than=[delete jobs finished longer ago than this (default: clear_finished_jobs_after, 1 day)]:DURATION:' \
			'--queue=[only jobs of this queue]:QUEUE: _dray_names queues' \
			'--class=[only jobs of this class]:CLASS: _dray_names classes' \
			'--dry-run[count the jobs, but change nothing]' \
			'--reason=[the reason, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		queues) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		stats) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		top) _arguments \
			'--once[print it once, as when output is not a terminal]' \
			'--interval=[time between two refreshes (default 2s)]:DURATION:' \
			'--sort=[name, status, ready (default), scheduled, retrying, claimed, blocked, failed, latency, minute, hour or workers; highest numbers first]:COLUMN:' \
			'--reverse[reverse the order]' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		pause) _arguments \
			'--all[every queue, including those that appear later]' \
			'--class=[pause this class, not a queue]:CLASS: _dray_names classes' \
			'--process=[pause this worker (see `dray processes`), not a queue]:NAME: _dray_names processes' \
			'--reason=[the reason, for `dray queues` and `dray audit`]:TEXT:' \
			'--for=[end the pause after this time (at least 1s)]:DURATION:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'1:name: _dray_names queues' \
			'*:argument:_files' ;;
		resume) _arguments \
			'--all[every paused queue and every pattern]' \
			'--class=[resume this class, not a queue]:CLASS: _dray_names classes' \
			'--process=[resume this worker, not a queue]:NAME: _dray_names processes' \
			'--reason=[the reason, for `dray audit`]:TEXT:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
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
			'--timeout=[how long a run of its jobs may take (default: as its class says)]:DURATION:' \
			'--enabled=[false: keep the task, but do not run it]:BOOL:' \
			'--start-at=[no occurrence before this time]:TIME:' \
			'--end-at=[no occurrence after this time]:TIME:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'1:word:(list next explain history run pause resume add change remove)' \
			'2:name: _dray_names tasks next history run pause resume change remove' \
			'*:argument:_files' ;;
		processes) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		audit) _arguments \
			'--since=[only actions at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday, "9am UTC"]:TIME:' \
			'--action=[only this action: pause, resume, retry, cancel, discard, run-now, move, reprioritize, clear, doctor, reload, or, of a recurring task, "run task", "pause task", "resume task", "add task", "change task" or "remove task"]:ACTION:' \
			'--limit=[list at most this many (default 50, maximum 10000)]:N:' \
			'--before=[only actions with a number below this one: the next page]:ID:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		doctor) _arguments \
			'--repair[repair what is found]' \
			'--reason=[the reason for the repair, for `dray audit`]:TEXT:' \
			'--wait=[how long to wait for heartbeats before a repair, and between two looks at slots (default: the heartbeat interval and 5s; 2s)]:DURATION:' \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		version) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		help) _arguments \
			'--config-file=[queue.yml (default config/queue.yml)]:PATH:_files' \
			'-c+[queue.yml (default config/queue.yml)]:PATH:_files' \
			'--jobs-file=[jobs.yml (default config/jobs.yml)]:PATH:_files' \
			'--recurring-file=[recurring.yml (default config/recurring.yml)]:PATH:_files' \
			'--root=[change to this directory first; relative paths start there]:DIR:' \
			'--environment=[section of the files to use (default development)]:NAME:' \
			'-e+[section of the files to use (default development)]:NAME:' \
			'--database=[sqlite3:PATH, postgres://... or mysql://...]:URL:' \
			'--json[print JSON]' \
			'--wide[print all columns in full, even if lines wrap on a terminal]' \
			'--color[use colour even if output is not a terminal]' \
			'--no-color[use no colour, even on a terminal]' \
			'--quiet[print no progress, and no warnings other than the log'\''s]' \
			'-q[print no progress, and no warnings other than the log'\''s]' \
			'--verbose[print more detail]' \
			'-v[print more detail]' \
			'*:argument:_files' ;;
		esac ;;
	esac
}
_dray "$@"
