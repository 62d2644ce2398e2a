# shellcheck shell=sh
# shellcheck disable=SC2154 # build, jobs, backends are set by test.sh, mysql_root by servers.sh
# Sourced by test.sh: the gate that compiles the MySQL driver with Oracle's client library, which
# Debian 12 does not have: it lies in the little Debian of the MySQL server (servers.sh), and so do
# the newer C library that it needs and the loader that the programs are given. There is no suite
# on MariaDB: Oracle's client has no mysql_native_password any more.
oracle_root=$mysql_root/opt/mysqlclient

# oracle_install: like mysql_install, made under another name first.
oracle_install()
{
	[ ! -d "$oracle_root" ] || return 0
	mysql_install || return 1
	# shellcheck disable=SC2016 # the inner shell expands
	as_root chroot "$mysql_root" sh -euc '
		folder=$(mktemp -d)
		cd "$folder"
		library=$(apt-cache depends libmysqlclient-dev |
			sed -n "s/.*Depends: \(libmysqlclient[0-9]*\)$/\1/p")
		fetch() { apt-get download -qq libmysqlclient-dev "$library"; }
		fetch || { apt-get update -qq && fetch; }
		for package in *.deb; do
			dpkg-deb -x "$package" root
		done
		mkdir -p /opt
		chmod 755 root
		mv root /opt/mysqlclient
		rm -r "$folder"
	' >"$servers/oracle.log" 2>&1 || {
		tail -n 15 "$servers/oracle.log"
		return 1
	}
}

# oracle_configure: what pkg-config says of it, with its new place and without what it asks for.
oracle_configure()
{
	folder=$(dirname "$(find "$oracle_root" -name mysqlclient.pc)")
	libraries=${folder%/pkgconfig}
	system=$mysql_root${libraries#"$oracle_root"}
	loader=$(LC_ALL=C readelf -lW "$mysql_root/usr/sbin/mysqld" | sed -n 's/.*interpreter: \(.*\)]$/\1/p')
	mkdir -p "$build/oracle.pc"
	# The headers include one another as <mysql/...>, too.
	# shellcheck disable=SC2016 # pkg-config expands
	sed -e "s,^prefix=.*,prefix=$oracle_root/usr," -e 's,^Cflags:.*,& -I${prefix}/include,' \
		-e '/^\(Requires\|Libs\).private/d' "$folder/mysqlclient.pc" >"$build/oracle.pc/mysqlclient.pc"
	# The system's C library is older than the one that Oracle's library was linked with.
	flags="-Wl,--allow-shlib-undefined"
	PKG_CONFIG_PATH=$build/oracle.pc cmake --preset dev -B "$build/oracle" \
		-DDRAY_SQLITE=OFF -DDRAY_POSTGRESQL=OFF -DDRAY_MYSQL=ON \
		-DCMAKE_SHARED_LINKER_FLAGS="$flags" \
		-DCMAKE_EXE_LINKER_FLAGS="$flags -Wl,--dynamic-linker=$mysql_root$loader \
-Wl,--disable-new-dtags,-rpath=$libraries:$system:/usr/lib/$(gcc -print-multiarch)"
}

gate_oracle()
{
	case $backends in
	*mysql*) ;;
	*)
		echo "MySQL was not asked for"
		return 0
		;;
	esac
	oracle_install || return 1
	oracle_configure >"$build/oracle.log" 2>&1 || {
		tail -n 15 "$build/oracle.log"
		return 1
	}
	grep 'Database backends' "$build/oracle.log"
	cmake --build "$build/oracle" -j "$jobs" --target test_db test_queue >"$build/oracle.log" 2>&1 || {
		grep -A 20 'FAILED' "$build/oracle.log"
		return 1
	}
	env -u DRAY_TEST_MARIADB_URL DRAY_TEST_BACKENDS=mysql ctest --test-dir "$build/oracle" \
		-j "$jobs" --output-on-failure --no-tests=error -L '^(db|queue)$' -R "$filter"
}
