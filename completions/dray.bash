# Completion of dray for bash.
_dray()
{
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local commands="start check db enqueue jobs job retry discard queues pause resume processes
		version help"
	local options="--config --jobs --root --environment --database --json --quiet --verbose --help"
	local word command=

	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case $word in
		-*) ;;
		*)
			command=$word
			break
			;;
		esac
	done
	case $previous in
	--config | --jobs | --bulk | -c)
		mapfile -t COMPREPLY < <(compgen -f -- "$current")
		return
		;;
	--root)
		mapfile -t COMPREPLY < <(compgen -d -- "$current")
		return
		;;
	--state)
		mapfile -t COMPREPLY < <(compgen -W "ready scheduled claimed blocked failed finished" \
			-- "$current")
		return
		;;
	--environment | -e)
		mapfile -t COMPREPLY < <(compgen -W "development test production" -- "$current")
		return
		;;
	esac
	case $command in
	'') options="$commands $options" ;;
	db) options="migrate status verify sql $options" ;;
	start) options="--migrate $options" ;;
	enqueue) options="--queue --priority --at --in --json-args --bulk $options" ;;
	jobs) options="--state --queue --class --limit $options" ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
}
complete -F _dray dray
