# shellcheck shell=sh
# shellcheck disable=SC2154 # gates, backends and wanted are set by test.sh and packages.sh
# Sourced by test.sh: what the gates that were asked for need to be installed.
want_build()
{
	want_command gcc gcc
	want_file '/usr/include/stdlib.h' libc6-dev
	want_command cmake cmake
	want_command ninja ninja-build
	want_command make make
	want_command pkg-config pkg-config
	want_command ps procps
	want_library sqlite3 libsqlite3-dev
	want_library libpq libpq-dev
	want_library openssl libssl-dev
	want_library mysqlclient default-libmysqlclient-dev
	want_library yaml-0.1 libyaml-dev
	want_library jansson libjansson-dev
	want_library ncursesw libncurses-dev
	want_library cmocka libcmocka-dev
	want_file /usr/share/zoneinfo/Europe/Madrid tzdata
}

# The shells that complete the program's command line.
want_shells()
{
	want_command bash bash
	want_command zsh zsh
	want_command fish fish
}

# is_wanted GATE...: is one of them asked for?
is_wanted()
{
	for wanted_gate in "$@"; do
		case " $gates " in
		*" $wanted_gate "*) return 0 ;;
		esac
	done
	return 1
}

want_lint()
{
	want_command ctags universal-ctags
	want_command shellcheck shellcheck
	want_command clang-format-14 'clang-format-14|clang-format'
	! is_wanted coverage || want_command gcovr gcovr
	if is_wanted lint changed; then
		want_command cppcheck cppcheck
		want_command clang-tidy-14 'clang-tidy-14|clang-tidy'
	fi
	want_command clang-14 'clang-14|clang'
	# The sanitizers' and libFuzzer's libraries, and the names in their reports.
	want_file '/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a' \
		'libclang-rt-14-dev|libclang-rt-dev'
	want_file '/usr/bin/llvm-symbolizer*' 'llvm-14|llvm'
}

# has_server URL: is a server named, and is there no gate that needs one of its own?
has_server()
{
	! is_wanted chaos && [ -n "$1" ]
}

# want_little_debian: must MySQL, or Oracle's client library, come from there?
want_little_debian()
{
	! is_wanted oracle || return 0
	! has_server "${DRAY_TEST_MYSQL_URL:-}" && ! mysql_in_path
}

want_servers()
{
	case $backends in
	*postgresql*)
		has_server "${DRAY_TEST_POSTGRESQL_URL:-}" ||
			want_file '/usr/lib/postgresql/*/bin/initdb' postgresql
		;;
	esac
	case $backends in
	*mysql* | *mariadb*)
		want_command mariadb 'mariadb-client-core|mariadb-client'
		;;
	esac
	case $backends in
	*mariadb*)
		has_server "${DRAY_TEST_MARIADB_URL:-}" ||
			want_command mariadbd 'mariadb-server-core|mariadb-server'
		! is_wanted chaos || want_file /usr/lib/galera/libgalera_smm.so galera-4
		;;
	esac
	case $backends in
	*mysql*)
		if want_little_debian; then
			want_debootstrap
		fi
		;;
	esac
	! want_rails || want_debootstrap
}

want_debootstrap()
{
	want_command debootstrap debootstrap
	want_file /usr/share/keyrings/debian-archive-keyring.gpg debian-archive-keyring
}

gate_packages()
{
	want_build
	want_shells
	want_lint
	want_servers
	want_languages
	# The packaged server would make and start a cluster of its own, which nobody asked for.
	clusters=/etc/postgresql-common/createcluster.d
	case $wanted in
	*postgresql*)
		as_root mkdir -p "$clusters"
		echo 'create_main_cluster = false' | as_root tee "$clusters/dray-tests.conf" >/dev/null
		install_wanted
		installed=$?
		as_root rm -f "$clusters/dray-tests.conf"
		return $installed
		;;
	esac
	[ -n "$wanted" ] || echo "nothing is missing"
	install_wanted
}
