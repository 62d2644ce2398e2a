# Made by `dray help --format bash`: change the commands instead.
_dray()
{
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local word command='' words='' options=" --config-file --jobs-file --recurring-file --root --environment --database --json --wide --color --no-color --quiet --verbose --help --usage --version"

	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case $word in
		start | worker | dispatcher | scheduler | reload | check | db | enqueue | jobs | job | why | retry | discard | run-now | move | reprioritize | clear | queues | stats | top | pause | resume | recurring | processes | audit | doctor | version | help) command=$word; break ;;
		esac
	done
	case $command in
	"") words="start worker dispatcher scheduler reload check db enqueue jobs job why retry discard run-now move reprioritize clear queues stats top pause resume recurring processes audit doctor version help" ;;
	help) words="start worker dispatcher scheduler reload check db enqueue jobs job why retry discard run-now move reprioritize clear queues stats top pause resume recurring processes audit doctor version help" ;;
	start) words="" options+=" --migrate --pidfile" ;;
	worker) words="" options+=" --entry --queues --threads" ;;
	dispatcher) words="" options+=" --entry" ;;
	reload) words="" options+=" --pidfile --reason" ;;
	check) words="" options+=" --no-database" ;;
	db) words="migrate status verify sql" options+=" --dialect --create-folders" ;;
	enqueue) words="" options+=" --queue --priority --at --in --json-args --concurrency-key --bulk" ;;
	jobs) words="" options+=" --state --queue --class --key --since --until --text --after --before --limit --oldest --newest" ;;
	retry) words="" options+=" --all --state --queue --class --key --since --until --text --after --before --dry-run --yes --reason" ;;
	discard) words="" options+=" --state --queue --class --key --since --until --text --after --before --dry-run --yes --reason" ;;
	run-now) words="" options+=" --all --state --queue --class --key --since --until --text --after --before --dry-run --yes --reason" ;;
	move) words="" options+=" --queue --all --state --from --class --key --since --until --text --after --before --dry-run --yes --reason" ;;
	reprioritize) words="" options+=" --priority --all --state --queue --class --key --since --until --text --after --before --dry-run --yes --reason" ;;
	clear) words="" options+=" --older-than --queue --class --dry-run --reason" ;;
	top) words="" options+=" --once --interval --sort --reverse" ;;
	pause) words="" options+=" --all --class --process --reason --for" ;;
	resume) words="" options+=" --all --class --process --reason" ;;
	recurring) words="list next explain history run pause resume add change remove" options+=" --zone --after --before --number --key --compatible --strict --reason --dry-run --yes --schedule --class --command --args --queue --priority --description --time-zone --dst-gap --dst-overlap --misfire --misfire-limit --misfire-window --overlap --jitter --enabled --start-at --end-at" ;;
	audit) words="" options+=" --since --action --limit --before" ;;
	doctor) words="" options+=" --repair --reason" ;;
	esac
	case $previous in
	--state) words="ready scheduled claimed blocked failed finished" options='' ;;
	--dialect) words="sqlite postgresql mysql" options='' ;;
	-c | --config* | --jobs* | --bulk | --pidfile)
		mapfile -t COMPREPLY < <(compgen -f -- "$current")
		return ;;
	--root)
		mapfile -t COMPREPLY < <(compgen -d -- "$current")
		return ;;
	esac
	[[ $current == -* ]] && words=$options
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _dray dray
