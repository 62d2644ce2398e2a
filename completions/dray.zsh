#compdef dray
# Asks `dray complete` what the word at the cursor may become: a word, or a word, a tabulator and
# what it means. Some words come from a database and must never be expanded.
_dray()
{
	local -a found names meanings expl
	local failed=1

	found=("${(@f)$(command dray complete --quoted line -- "${(@)words[2,CURRENT-1]}" "$PREFIX" \
		2>/dev/null </dev/null)}")
	names=("${(@)${(@)found:#*$'\t'*}:#}")
	meanings=("${(@)${(@M)found:#?*$'\t'*}//:/\\:}")
	meanings=("${(@)meanings/$'\t'/:}")
	(( $#meanings )) && _describe word meanings && failed=0
	(( $#names )) && _wanted names expl name compadd -a names && failed=0
	[[ $PREFIX == --*=* ]] && compset -P 1 '*='
	[[ $found[-1] == $'\tfiles' ]] && _files && failed=0
	[[ $found[-1] == $'\tfolders' ]] && _files -/ && failed=0
	return failed
}
_dray "$@"
