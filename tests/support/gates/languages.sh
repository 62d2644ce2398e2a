# shellcheck shell=sh
# shellcheck disable=SC2154 # build and running are set by test.sh
# Sourced by test.sh: the gate that runs the examples of docs/languages.md. It takes them out of the page:
# a block of code whose first line has nothing but a file's name in a comment is that file.

# want_languages: their interpreters and drivers, as Debian has them.
want_languages()
{
	is_wanted languages || return 0
	want_command python3 python3
	want_command node nodejs
	want_command php php-cli
	want_command ruby ruby
	want_command psql postgresql-client
	want_command sqlite3 sqlite3
	want_file '/usr/lib/python3/dist-packages/psycopg2/__init__.py' python3-psycopg2
	want_file '/usr/lib/php/*/pdo_mysql.so' php-mysql
	want_file '/usr/lib/*/ruby/vendor_ruby/*/sqlite3/sqlite3_native.so' ruby-sqlite3
}

# languages_extract FOLDER: writes the files of the page there.
languages_extract()
{
	mkdir -p "$1/config"
	awk -v folder="$1" '
		/^```/ { inside = !inside; first = inside; file = ""; next }
		first && match($0, /[a-z\/]+\.[a-z]+$/) { file = folder "/" substr($0, RSTART) }
		{ first = 0 }
		file { print >file }
	' docs/languages.md
}

# languages_complete FOLDER: each block of the page is a file there, and each is used below.
languages_complete()
{
	blocks=$(grep -c '^```' docs/languages.md)
	# shellcheck disable=SC2012 # names of our own
	files=$(cd "$1" && ls config/*.* ./*.* | wc -l)
	if [ "$blocks" -ne $((2 * files)) ]; then
		echo "docs/languages.md: $files examples have a file's name, of $((blocks / 2))"
		return 1
	fi
	for file in "$1"/*.*; do
		case ${file##*/} in
		greet.*) ;;
		*) grep -q "[ \"]${file##*/}:" tests/support/gates/languages.sh || {
			echo "docs/languages.md: ${file##*/} is run nowhere"
			return 1
		} ;;
		esac
	done
}

# languages_sql COMMAND...: a statement, or without one standard input, in the database of this run. It
# ends at the first error.
languages_sql()
{
	case $backend in
	sqlite) sqlite3 -bail -cmd '.timeout 5000' "$APP_FILE" "$@" ;;
	postgresql) psql -qX -v ON_ERROR_STOP=1 "$APP_URL" ${1:+-c "$1"} ;;
	*) mariadb --no-defaults -h "$host" -P "$port" -u "$APP_USER" ${APP_PASSWORD:+"-p$APP_PASSWORD"} \
		"$database" ${1:+-e "$1"} ;;
	esac
}

# languages_database: an empty one, and how each example finds it.
languages_database()
{
	database=dray_languages_$$
	APP_FILE=$place/app.sqlite3
	DRAY_DATABASE_URL=sqlite3:$APP_FILE
	case $backend in
	postgresql)
		psql -qX "$DRAY_TEST_POSTGRESQL_URL" -c "CREATE DATABASE $database" || return 1
		APP_URL=${DRAY_TEST_POSTGRESQL_URL%/*}/$database
		DRAY_DATABASE_URL=$APP_URL
		;;
	mysql | mariadb)
		server=$(eval "echo \"\$DRAY_TEST_$(echo "$backend" | tr '[:lower:]' '[:upper:]')_URL\"")
		DRAY_DATABASE_URL=${server%/*}/$database
		server=${server#*://}
		server=${server%%/*}
		APP_USER=${server%%[:@]*}
		APP_PASSWORD=
		case ${server%@*} in
		*:*) APP_PASSWORD=${server%@*} && APP_PASSWORD=${APP_PASSWORD#*:} ;;
		esac
		host=${server#*@}
		port=${host#*:}
		host=${host%:*}
		APP_DSN="mysql:host=$host;port=$port;dbname=$database"
		made=$database
		database=mysql
		languages_sql "CREATE DATABASE $made" || return 1
		database=$made
		;;
	esac
	export APP_FILE APP_URL APP_USER APP_PASSWORD APP_DSN DRAY_DATABASE_URL
}

languages_drop()
{
	case $backend in
	postgresql) psql -qX "$DRAY_TEST_POSTGRESQL_URL" -c "DROP DATABASE $database" ;;
	mysql | mariadb) languages_sql "DROP DATABASE $database" ;;
	esac
}

# languages_await PATTERN: until the log has such a line; for half a minute.
languages_await()
{
	tries=300
	until grep -qE "$1" "$place/log"; do
		tries=$((tries - 1))
		if [ $tries -eq 0 ]; then
			echo "$backend: nothing in the log is like $1; its end:"
			tail -n 5 "$place/log"
			return 1
		fi
		sleep 0.1
	done
}

languages_jobs()
{
	dray jobs --class "$1" --json | grep -c '"id":'
}

# languages_run FILE: enqueues as the example does.
languages_run()
{
	case $1 in
	*.sql) languages_sql <"$1" ;;
	*.sh) sh "$1" ;;
	*.py) python3 "$1" ;;
	*.js) node "$1" ;;
	*.php) php "$1" ;;
	*.rb) ruby "$1" ;;
	esac
}

# languages_example FILE CLASS: its job greets; without a name the job fails and says why. With a
# transaction of its own, it leaves no job when that fails.
languages_example()
{
	languages_sql 'DELETE FROM users' && : >"$place/log" || return 1
	languages_run "$1" || return 1
	languages_await "\"class\":\"$2\".*hello ann" || return 1
	dray enqueue --quiet "$2" || return 1
	languages_await "\"event\":\"job.failed\".*\"class\":\"$2\".*nobody to greet" || return 1
	if grep -q users "$1"; then
		before=$(languages_jobs "$2")
		if languages_run "$1" >"$place/refused" 2>&1; then
			echo "$1: the same user twice was not refused"
			return 1
		fi
		[ "$(languages_jobs "$2")" -eq "$before" ] || {
			echo "$1: a job of a transaction that was rolled back"
			return 1
		}
	fi
	echo "$backend: $1"
}

# languages_on BACKEND: every example that is for it, beside a deployment.
languages_on()
{
	backend=$1
	place=$build/languages/$backend
	rm -rf "$place"
	languages_extract "$place" && languages_complete "$place" || return 1
	languages_database || return 1
	cd "$place" || return 1
	examples=" enqueue.sh:Greet.sh enqueue.js:Greet.js"
	case $backend in
	sqlite) examples="$examples sqlite.sql:Greet.sh enqueue.rb:Greet.rb" ;;
	postgresql) examples="$examples postgresql.sql:Greet.sh enqueue.py:Greet.py" ;;
	*) examples="$examples mysql.sql:Greet.sh enqueue.php:Greet.php" ;;
	esac
	if ! dray db migrate --quiet ||
		! languages_sql 'CREATE TABLE users (name varchar(20) PRIMARY KEY)'; then
		languages_drop
		return 1
	fi
	DRAY_ENV=production dray start 2>>"$place/log" &
	deployment=$!
	ended=0
	for example in $examples; do
		languages_example "${example%%:*}" "${example#*:}" || ended=1
	done
	kill "$deployment"
	wait "$deployment"
	languages_drop || ended=1
	return $ended
}

# gate_languages: a line for each database and example.
gate_languages()
{
	make_product || return 1
	result_of_all=0
	for name_of_backend in $running; do
		# Debian's own interpreters, which have the packaged drivers; the program as users get it.
		(
			PATH=$build/product/cli:/usr/bin:/bin:$PATH
			export PATH
			languages_on "$name_of_backend"
		) || result_of_all=1
	done
	return $result_of_all
}
