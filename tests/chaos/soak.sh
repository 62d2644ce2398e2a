#!/bin/sh
# soak.sh PROGRAM BACKEND: a soak of DRAY_SOAK_SECONDS (default 120) in a new database on the
# server of DRAY_TEST_*_URL, which is dropped in the end.
set -eu
case " ${DRAY_TEST_BACKENDS:-$2} " in
*" $2 "*) ;;
*) exit 77 ;;
esac
case $2 in
sqlite) server=sqlite3:${TMPDIR:-/tmp} ;;
postgresql) server=${DRAY_TEST_POSTGRESQL_URL%/*} ;;
mysql) server=${DRAY_TEST_MYSQL_URL%/*} ;;
mariadb) server=${DRAY_TEST_MARIADB_URL%/*} ;;
esac
exec "$1" --create --seconds "${DRAY_SOAK_SECONDS:-120}" --database "$server/dray_soak_$$"
