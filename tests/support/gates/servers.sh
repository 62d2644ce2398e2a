# shellcheck shell=sh
# Sourced by test.sh: PostgreSQL, MySQL and MariaDB for the tests, each on a free port of the
# loopback address, with its data in a temporary directory and as a user without privileges. They
# do without fsync and doublewrite: only the machine's own crash could tell, and tests do not
# crash machines. A packet of MySQL's is 8 MB at most, so that little is more than one. start_NAME
# sets DRAY_TEST_NAME_URL; stop_servers ends all and removes the data.
servers=
server_pids=
mysql_root=${XDG_CACHE_HOME:-$HOME/.cache}/dray/mysql
mysql_data=
rails_place= # tests/support/gates/rails.sh

if [ "$(id -u)" -ne 0 ]; then
	server_user=$(id -un)
elif id postgres >/dev/null 2>&1; then
	server_user=postgres
else
	server_user=nobody
fi
server_uid=$(id -u "$server_user")
server_gid=$(id -g "$server_user")
server_dies=QUIT # the signal it gets when its parent ends

# as_server COMMAND...: in a subshell, becomes the command as the servers' user.
as_server()
{
	cd /
	if [ "$(id -u)" -eq 0 ]; then
		exec env PATH="$PATH:/usr/sbin" setpriv --reuid="$server_uid" --regid="$server_gid" \
			--clear-groups --pdeathsig="$server_dies" "$@"
	fi
	exec env PATH="$PATH:/usr/sbin" "$@"
}

# server_folder NAME: makes the folder of one server and prints it.
server_folder()
{
	install -d -m 700 -o "$server_uid" -g "$server_gid" "$servers/$1"
	echo "$servers/$1"
}

servers_init()
{
	servers=$(mktemp -d "${TMPDIR:-/tmp}/dray-servers-XXXXXX")
	chmod 711 "$servers"
}

# free_port: a port nobody listens on, from below the range of outgoing connections.
free_port()
{
	cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v seed="$(od -An -N4 -tu4 /dev/urandom)" '
		{ n = split($2, part, ":"); used[part[n]] = 1 }
		END {
			srand(seed)
			do
				port = 20000 + int(rand() * 12000)
			while (sprintf("%04X", port) in used)
			print port
		}'
}

# await PID LOG COMMAND...: until the command succeeds; fails when PID is gone or after 90 s.
await()
{
	await_pid=$1
	await_log=$2
	shift 2
	deadline=$(($(date +%s) + 90))
	until "$@" >/dev/null 2>&1; do
		if ! kill -0 "$await_pid" 2>/dev/null || [ "$(date +%s)" -gt "$deadline" ]; then
			echo "the server does not answer; the end of $await_log:"
			tail -n 15 "$await_log"
			return 1
		fi
		sleep 0.2
	done
}

# retry_port FUNCTION: another program may take the free port first; then try another. The server that
# did not get it must not keep the data from the next one.
retry_port()
{
	before=$server_pids
	for attempt in 1 2 3; do
		if "$1" "$(free_port)"; then
			return 0
		fi
		echo "attempt $attempt to start a server has failed"
		# shellcheck disable=SC2086 # one word for each
		stop_pids ${server_pids#"$before"}
		server_pids=$before
	done
	return 1
}

# stop_pids PID:SIGNAL...: waits for each (30 s, then by force).
stop_pids()
{
	for server in "$@"; do
		kill -s "${server#*:}" "${server%:*}" 2>/dev/null || true
	done
	for server in "$@"; do
		deadline=$(($(date +%s) + 30))
		while kill -0 "${server%:*}" 2>/dev/null; do
			[ "$(date +%s)" -le "$deadline" ] || kill -s KILL "${server%:*}" || true
			sleep 0.1
		done
	done
}

# postgresql_program NAME: its path; the newest version installed, or the one in PATH.
postgresql_program()
{
	found=$(find /usr/lib/postgresql/*/bin -name "$1" 2>/dev/null | sort -V | tail -n 1)
	echo "${found:-$1}"
}

# A server has a place, the folder of its data, log and socket. init_NAME fills the place; serve_NAME
# PORT [OPTION...] becomes the server, in the foreground, with what is common to all uses.
init_postgresql()
{
	(as_server "$(postgresql_program initdb)" -D "$place/data" -U postgres -A trust -E UTF8 \
		--locale=C --no-sync --no-instructions) >"$folder/log" 2>&1 || {
		tail -n 15 "$folder/log"
		return 1
	}
}

copy_postgresql()
{
	(as_server "$(postgresql_program pg_basebackup)" -D "$place/data" -h 127.0.0.1 -p "$1" \
		-U postgres -R -X stream --checkpoint=fast --no-sync) >>"$folder/log" 2>&1
}

serve_postgresql()
{
	port=$1
	shift
	as_server "$(postgresql_program postgres)" -D "$place/data" -p "$port" \
		-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off \
		-c full_page_writes=off "$@"
}

start_postgresql()
{
	folder=$(server_folder postgresql)
	place=$folder
	init_postgresql && retry_port run_postgresql
}

run_postgresql()
{
	(serve_postgresql "$1" -c max_connections=200 -c synchronous_commit=off \
		-c full_page_writes=off) >>"$folder/log" 2>&1 &
	pid=$!
	server_pids="$server_pids $pid:INT" # fast: clients are not waited for
	await $pid "$folder/log" is_postgresql "$1" "$place/data" || return 1
	export DRAY_TEST_POSTGRESQL_URL="postgres://postgres@127.0.0.1:$1/postgres"
}

# is_postgresql PORT DATA, is_mysql PORT SOCKET: is it this server that answers there, and not one that
# took the port first?
is_postgresql()
{
	[ "$(PGCONNECT_TIMEOUT=5 "$(postgresql_program psql)" -h 127.0.0.1 -p "$1" -U postgres \
		-d postgres -At -c 'SHOW data_directory')" = "$2" ]
}

is_mysql()
{
	[ "$(mariadb --no-defaults --protocol=tcp --skip-ssl --connect-timeout=5 -h 127.0.0.1 \
		-P "$1" -u root -N -B -e 'SELECT @@socket')" = "$2" ]
}

# MariaDB deletes at its start whatever looks like a temporary table in its temporary folder, so each
# server has its own: in a common one it would take away those of another that runs.
init_mariadb()
{
	(as_server mariadb-install-db --no-defaults --datadir="$place/data" --tmpdir="$place" \
		--skip-test-db --auth-root-authentication-method=normal) >"$folder/log" 2>&1 || {
		tail -n 15 "$folder/log"
		return 1
	}
}

serve_mariadb()
{
	port=$1
	shift
	as_server mariadbd --no-defaults --datadir="$place/data" --tmpdir="$place" \
		--bind-address=127.0.0.1 --port="$port" --socket="$place/socket" \
		--pid-file="$place/pid" "$@"
}

start_mariadb()
{
	folder=$(server_folder mariadb)
	place=$folder
	init_mariadb && retry_port run_mariadb
}

run_mariadb()
{
	(serve_mariadb "$1" --max-connections=200 --innodb-flush-log-at-trx-commit=0 \
		--innodb-doublewrite=0 --max-allowed-packet=8M) >>"$folder/log" 2>&1 &
	pid=$!
	server_pids="$server_pids $pid:TERM"
	await $pid "$folder/log" is_mysql "$1" "$place/socket" || return 1
	export DRAY_TEST_MARIADB_URL="mysql://root@127.0.0.1:$1/mysql"
}

# mysql_in_path: is the mysqld in PATH Oracle's (MariaDB's package has one too), 8 or newer?
mysql_in_path()
{
	version=$(PATH=$PATH:/usr/sbin mysqld --version 2>/dev/null) || return 1
	case $version in
	*MariaDB*) return 1 ;;
	*' Ver '[89].* | *' Ver '[1-9][0-9].*) return 0 ;;
	esac
	return 1
}

# little_debian ROOT PACKAGES PROGRAM: Debian 12 lacks some of what is tested, so a small Debian that has
# it is kept in the cache. It is made under another name first: what is there under the final name is
# whole.
little_debian()
{
	if [ -x "$1/$3" ]; then
		as_root chroot "$1" "/$3" --version >/dev/null 2>&1 && return 0
		echo "$1/$3 does not run any more:"
		as_root chroot "$1" "/$3" --version || true
	fi
	echo "Making $1, a small Debian with what this one lacks (once; removing the folder is safe)"
	mkdir -p "${1%/*}"
	as_root find "${1%/*}" -maxdepth 1 -name '*.new.*' -mmin +60 -exec rm -rf {} +
	new=$1.new.$$
	if ! as_root debootstrap --variant=minbase --include="$2" sid "$new" \
		>"$servers/debootstrap.log" 2>&1; then
		tail -n 15 "$servers/debootstrap.log"
		broken=$(sed -n "s/.*[Ff]ailure while [a-z]* .*: *//p; s/.*find these debs: *//p" \
			"$servers/debootstrap.log" | tr '\n' ' ')
		cat <<-TEXT
			The cause is not the change that is tested: Debian's suite sid, from which
			$2 should have come, cannot be installed today${broken:+. It names: $broken}
			A folder $1 of another day can be used as it is.
		TEXT
		as_root rm -rf "$new"
		return 1
	fi
	as_root rm -rf "$1"
	as_root mv -T "$new" "$1"
}

mysql_install()
{
	little_debian "$mysql_root" mysql-server-core usr/sbin/mysqld
}

# mysql_place: the folder, or, since inside the little Debian the server sees only what lies in it,
# a new one there.
mysql_place()
{
	place=$folder
	mysql_in_path && return
	mysql_install || return 1
	place=$(as_root mktemp -d "$mysql_root/tmp/dray-XXXXXX")
	as_root chown "$server_uid:$server_gid" "$place"
}

init_mysql()
{
	(run_mysqld --initialize-insecure) >"$folder/log" 2>&1 || {
		tail -n 15 "$folder/log"
		tell_moved
		return 1
	}
}

# tell_moved: the server comes from a suite of Debian that changes every day.
tell_moved()
{
	mysql_in_path && return
	# shellcheck disable=SC2016 # dpkg-query expands
	version=$(as_root chroot "$mysql_root" dpkg-query -W -f '${Version}' mysql-server-core)
	cat <<-TEXT
		The cause may be the server and not the change that is tested: it is the package
		mysql-server-core $version
		of Debian's suite sid, in $mysql_root.
	TEXT
}

# run_mysqld OPTION...: in a subshell, becomes MySQL's server, from PATH or the little Debian.
run_mysqld()
{
	inside=${place#"$mysql_root"}
	if [ "$inside" = "$place" ]; then
		as_server mysqld --no-defaults --datadir="$inside/data" --tmpdir="$inside" "$@"
	elif [ "$(id -u)" -eq 0 ]; then
		exec chroot "$mysql_root" setpriv --reuid="$server_uid" --regid="$server_gid" \
			--clear-groups --pdeathsig="$server_dies" \
			/usr/sbin/mysqld --no-defaults --datadir="$inside/data" --tmpdir="$inside" "$@"
	else
		exec sudo chroot --userspec="$server_uid:$server_gid" "$mysql_root" \
			/usr/sbin/mysqld --no-defaults --datadir="$inside/data" --tmpdir="$inside" "$@"
	fi
}

serve_mysql()
{
	port=$1
	shift
	inside=${place#"$mysql_root"}
	run_mysqld --bind-address=127.0.0.1 --port="$port" --socket="$inside/socket" \
		--pid-file="$inside/pid" --mysqlx=OFF --secure-file-priv= --disable-log-bin "$@"
}

start_mysql()
{
	folder=$(server_folder mysql)
	mysql_place || return 1
	mysql_data=$place
	init_mysql && retry_port run_mysql
}

run_mysql()
{
	(serve_mysql "$1" --max-connections=200 --innodb-flush-log-at-trx-commit=0 \
		--innodb-doublewrite=OFF --innodb-flush-method=nosync \
		--max-allowed-packet=8M) >>"$folder/log" 2>&1 &
	shell=$!
	answers=0
	await $shell "$folder/log" is_mysql "$1" "${place#"$mysql_root"}/socket" || answers=1
	# Sudo, if any, ends with the server; it is the server that we stop.
	if [ -f "$mysql_data/pid" ]; then
		server_pids="$server_pids $(cat "$mysql_data/pid"):TERM"
	else
		server_pids="$server_pids $shell:TERM"
	fi
	[ $answers -eq 0 ] || {
		tell_moved
		return 1
	}
	export DRAY_TEST_MYSQL_URL="mysql://root@127.0.0.1:$1/mysql"
}

# stop_servers: ends all, then the data is removed.
stop_servers()
{
	# shellcheck disable=SC2086 # one word for each
	stop_pids $server_pids
	server_pids=
	[ -z "$mysql_data" ] || as_root rm -rf "$mysql_data"
	[ -z "$rails_place" ] || as_root rm -rf "$rails_place"
	[ -z "$servers" ] || rm -rf "$servers"
}
