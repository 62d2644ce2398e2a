# Asks `dray complete` what the word at the cursor may become: a word, or a word, a tabulator and
# what it means.
function __dray_complete
	set -l line (commandline -opc)
	set -l word (commandline -ct)
	set -l option (string match -r -- '^--[^=]*=' $word)
	set -l value (string replace -- "$option" '' $word)
	for found in (command dray complete line -- $line[2..-1] "$word" 2>/dev/null </dev/null)
		switch $found
			case \t'files'
				string replace -r -- '^' "$option" (__fish_complete_path "$value")
			case \t'folders'
				string replace -r -- '^' "$option" (__fish_complete_directories "$value")
			case '*'
				printf '%s\n' $found
		end
	end
end
complete -c dray -f -a '(__dray_complete)'
