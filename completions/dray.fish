# Asks `dray complete` what the word at the cursor may become: a word, or a word, a tabulator and
# what it means. Files fish completes itself.
function __dray_ask
	set -l line (commandline -opc)
	set -l word (commandline -ct)
	type -qf dray; or return
	command dray complete line -- $line[2..-1] "$word" 2>/dev/null </dev/null
end
function __dray_complete
	set -l word (commandline -ct)
	set -l option (string match -r -- '^--[^=]*=' $word)
	set -l value (string replace -- "$option" '' $word)
	for found in (__dray_ask)
		switch $found
			case \t'files'
			case \t'folders'
				string replace -r -- '^' "$option" (__fish_complete_directories "$value")
			case '*'
				printf '%s\n' $found
		end
	end
end
function __dray_files
	contains -- \t'files' (__dray_ask)
end
complete -c dray -f -a '(__dray_complete)'
complete -c dray -n __dray_files -F
