# Made by `dray help --format bash`: change the commands instead.

# Completes with names of this kind. They come from a database and must not be expanded.
_dray_names()
{
	local name quoted full

	compopt +o default
	while IFS= read -r name; do
		printf -v quoted %q "$name"
		if [[ $current == [\'\"]* ]]; then
			[[ $name == "${current:1}"* && $name != *[!a-zA-Z0-9_:./@%+,\ -]* ]] &&
				COMPREPLY+=("$name")
		elif [[ $quoted == "$current"* ]]; then
			full=$prefix$quoted
			COMPREPLY+=("${full:cut}")
		fi
	done < <(command dray complete --quoted "$1" -- "${line[@]:1}" 2>/dev/null </dev/null)
}

# Puts the words up to the cursor into line and current, joined again where COMP_WORDBREAKS
# has cut them; --option=value becomes two words.
_dray_line()
{
	local i rest=$COMP_LINE word

	line=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if ((i > 0)) && [[ $rest != [[:space:]]* ]]; then
			line[-1]+=$word
		else
			line+=("$word")
		fi
		rest=${rest#*"$word"}
	done
	current=${line[-1]} typed=${COMP_WORDS[COMP_CWORD]} prefix=''
	[[ $typed == *[!:=]* ]] || typed=''
	cut=$((${#current} - ${#typed}))
	unset 'line[-1]'
	previous=${line[-1]}
	if [[ $current == --*=* ]]; then
		previous=${current%%=*}
		prefix=$previous=
		current=${current#*=}
	fi
}

_dray()
{
	local current previous prefix typed cut word skip='' first=1
	local command='' words='' names='' after='' options=" --config-file --jobs-file --recurring-file --root --environment --database --json --wide --color --no-color --quiet --verbose --help --usage --version" taking=" --config-file -c --jobs-file --recurring-file --root --environment -e --database"
	local -a line arguments=()

	_dray_line
	for word in "${line[@]:1}"; do
		first=$((first + 1))
		if [[ $skip ]]; then
			skip=''
		elif [[ $word != -* ]]; then
			command=$word
			break
		elif [[ " $taking " == *" $word "* ]]; then
			skip=1
		fi
	done
	case $command in
	"" | help) words="start worker dispatcher scheduler reload check db enqueue jobs job why errors retry cancel discard run-now move reprioritize clear queues stats top pause resume recurring processes audit doctor version help" ;;
	start) words="" options+=" --migrate --pidfile --wait --skip-recurring --only-recurring" taking+=" --pidfile" ;;
	worker) words="" options+=" --entry --queues --threads --wait" taking+=" --entry --queues --threads" ;;
	dispatcher) words="" options+=" --entry --wait" taking+=" --entry" ;;
	scheduler) words="" options+=" --wait" taking+="" ;;
	reload) words="" options+=" --pidfile --reason" taking+=" --pidfile --reason" ;;
	check) words="" options+=" --no-database --all --skip-recurring --only-recurring" taking+="" ;;
	db) words="migrate status verify sql" options+=" --dialect --create-folders --operation" taking+=" --dialect --operation" ;;
	enqueue) words="" options+=" --queue --priority --at --in --timeout --json-args --json-keywords --named --text --concurrency-key --bulk" taking+=" --queue --priority --at --in --timeout --json-args --json-keywords --concurrency-key --bulk" names=classes after="" ;;
	jobs) words="" options+=" --state --slow --error --queue --class --key --since --until --text --after --before --limit --oldest --newest" taking+=" --state --error --queue --class --key --since --until --text --after --before --limit" ;;
	errors) words="" options+=" --since --limit" taking+=" --since --limit" ;;
	retry) words="" options+=" --all --state --error --queue --class --key --since --until --text --after --before --dry-run --yes --reason" taking+=" --state --error --queue --class --key --since --until --text --after --before --reason" ;;
	cancel) words="" options+=" --state --queue --class --key --since --until --text --after --before --dry-run --yes --reason" taking+=" --state --queue --class --key --since --until --text --after --before --reason" ;;
	discard) words="" options+=" --state --error --queue --class --key --since --until --text --after --before --dry-run --yes --reason" taking+=" --state --error --queue --class --key --since --until --text --after --before --reason" ;;
	run-now) words="" options+=" --all --state --queue --class --key --since --until --text --after --before --dry-run --yes --reason" taking+=" --state --queue --class --key --since --until --text --after --before --reason" ;;
	move) words="" options+=" --queue --all --state --from --class --key --since --until --text --after --before --dry-run --yes --reason" taking+=" --queue --state --from --class --key --since --until --text --after --before --reason" ;;
	reprioritize) words="" options+=" --priority --all --state --queue --class --key --since --until --text --after --before --dry-run --yes --reason" taking+=" --priority --state --queue --class --key --since --until --text --after --before --reason" ;;
	clear) words="" options+=" --older-than --queue --class --dry-run --reason" taking+=" --older-than --queue --class --reason" ;;
	top) words="" options+=" --once --interval --sort --reverse" taking+=" --interval --sort" ;;
	pause) words="" options+=" --all --class --process --reason --for" taking+=" --class --process --reason --for" names=queues after="" ;;
	resume) words="" options+=" --all --class --process --reason" taking+=" --class --process --reason" names=paused after="" ;;
	recurring) words="list next explain history run pause resume add change remove" options+=" --zone --after --before --number --key --compatible --strict --reason --dry-run --yes --schedule --class --command --args --queue --priority --description --time-zone --dst-gap --dst-overlap --misfire --misfire-limit --misfire-window --overlap --jitter --timeout --enabled --start-at --end-at" taking+=" --zone --after --before --number -n --key --reason --schedule --class --command --args --queue --priority --description --time-zone --dst-gap --dst-overlap --misfire --misfire-limit --misfire-window --overlap --jitter --timeout --enabled --start-at --end-at" names=tasks after="next history run pause resume change remove" ;;
	audit) words="" options+=" --since --action --limit --before" taking+=" --since --action --limit --before" ;;
	doctor) words="" options+=" --repair --reason --wait" taking+=" --reason --wait" ;;
	esac
	skip=''
	for word in "${line[@]:first}"; do
		if [[ $skip ]]; then
			skip=''
		elif [[ $word == -* ]]; then
			[[ " $taking " == *" $word "* ]] && skip=1
		else
			arguments+=("$word")
		fi
	done
	[[ $skip || ${#arguments[@]} -gt 0 ]] && words=''
	if [[ $after ]]; then
		[[ " $after " == *" ${arguments[0]} "* && ${#arguments[@]} -eq 1 ]] || names=''
	else
		[[ ${#arguments[@]} -eq 0 ]] || names=''
	fi
	case $previous in
	--state) words="ready scheduled claimed blocked failed finished" options='' names='' ;;
	--dialect) words="sqlite postgresql mysql" options='' names='' ;;
	--queue) _dray_names queues; return ;;
	--queues) _dray_names queues; return ;;
	--from) _dray_names queues; return ;;
	--class) _dray_names classes; return ;;
	--process) _dray_names processes; return ;;
	-c | --config* | --jobs* | --recurring-file | --bulk | --pidfile)
		mapfile -t COMPREPLY < <(compgen -f -- "$typed")
		return ;;
	--root)
		mapfile -t COMPREPLY < <(compgen -d -- "$typed")
		return ;;
	esac
	if [[ $names && ! $skip && $current != -* ]]; then
		_dray_names "$names"
		return
	fi
	[[ $current == -* ]] && words=$options
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _dray dray
