# Asks `dray complete` what the word at the cursor may become. Some words come from a database: they
# must never be run or expanded, neither here nor on the command line.

# Puts the words up to the cursor into line, joined again where COMP_WORDBREAKS has cut them.
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
}

# Readline replaces only what was typed behind the last cut.
_dray()
{
	local -a line
	local typed=${COMP_WORDS[COMP_CWORD]} option='' current cut found word quoted full

	_dray_line
	current=${line[-1]}
	[[ $typed == *[!:=]* ]] || typed=''
	cut=$((${#current} - ${#typed}))
	[[ $current == --*=* ]] && option=${current%%=*}=
	current=${current#"$option"}
	while IFS= read -r found; do
		word=${found%%$'\t'*}
		word=${word#"$option"}
		printf -v quoted %q "$word"
		full=$option$quoted
		if [[ $found == $'\tfiles' ]]; then
			compopt -o default
		elif [[ $found == $'\tfolders' ]]; then
			compopt -o dirnames
		elif [[ $current == [\'\"]* ]]; then
			[[ $word == "${current:1}"* && $word != *[!a-zA-Z0-9_:./@%+,\ -]* ]] &&
				COMPREPLY+=("$word")
		elif [[ $quoted == "$current"* && $found != -[!-]* ]]; then
			COMPREPLY+=("${full:cut}")
		fi
	done < <(command dray complete --quoted line -- "${line[@]:1}" 2>/dev/null </dev/null)
}
complete -F _dray dray
