#compdef dray
# Completion of dray for zsh.
local -a commands options
commands=(
	'start:run the supervisor with its workers and dispatchers'
	'check:validate configuration, handlers and database'
	'db:migrate, status, verify or sql'
	'enqueue:add a job'
	'jobs:list jobs'
	'job:show one job'
	'retry:run failed jobs again'
	'discard:remove jobs'
	'queues:list queues'
	'pause:stop taking jobs from a queue'
	'resume:take jobs from a paused queue again'
	'processes:list running processes'
	'version:print the version'
	'help:print help'
)
options=(
	'(-c --config)'{-c,--config}'[queue.yml]:file:_files'
	'--jobs[jobs.yml]:file:_files'
	'--root[where relative paths begin]:directory:_directories'
	'(-e --environment)'{-e,--environment}'[section of the files]:name:(development test production)'
	'--database[URL]:url:'
	'--json[print JSON]'
	'(-q --quiet)'{-q,--quiet}'[say less]'
	'(-v --verbose)'{-v,--verbose}'[say more]'
	'--help[print help]'
)
case ${words[2]} in
start) options+=('--migrate[migrate the database first]') ;;
db) options+=('2:action:(migrate status verify sql)') ;;
enqueue)
	options+=('--queue[queue]:name:' '--priority[smaller is sooner]:number:' '--at[time]:time:'
		'--in[delay]:duration:' '--json-args[arguments]:json:' '--bulk[one JSON object a line]:file:_files')
	;;
jobs)
	options+=('--state[state]:state:(ready scheduled claimed blocked failed finished)'
		'--queue[queue]:name:' '--class[class]:name:' '--limit[how many]:number:')
	;;
esac
_arguments "1:command:{_describe command commands}" $options '*::argument:_default'
