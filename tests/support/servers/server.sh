#!/bin/sh
# One database server of a test's own, in FOLDER, an existing empty folder (the data may lie
# elsewhere: FOLDER/place tells). Server: postgresql, mysql, mariadb; sqlite has only a place.
#   server.sh init BACKEND FOLDER MEGABYTES   its data, on a file system of that size if it can be
#                                             made: then FOLDER/limited exists; 0 = not wanted
#   server.sh copy postgresql FOLDER PORT     a replica of the server on that port
#   server.sh run BACKEND FOLDER PORT [OPTION...]   becomes the server
#   server.sh remove BACKEND FOLDER           after the server has ended
set -eu
. "$(dirname "$0")/../gates/packages.sh"
. "$(dirname "$0")/../gates/servers.sh"
verb=$1
backend=$2
folder=$3
shift 3
servers=$folder

make_place()
{
	place=$folder
	case $backend in
	mysql) mysql_place ;;
	esac
	if [ "$1" -gt 0 ] && [ "$place" = "$folder" ]; then
		mkdir "$folder/small"
		place=$folder/small
	fi
	if [ "$1" -gt 0 ] && as_root mount -t tmpfs -o "size=$1m,mode=755" dray-test "$place"; then
		: >"$folder/limited"
	fi
	as_root chown "$server_uid:$server_gid" "$place"
	echo "$place" >"$folder/place"
}

case $verb in
init)
	make_place "$1"
	[ "$backend" = sqlite ] || "init_$backend"
	;;
copy)
	make_place 0
	"copy_$backend" "$1"
	;;
run)
	place=$(cat "$folder/place")
	"serve_$backend" "$@"
	;;
remove)
	place=$(cat "$folder/place")
	[ ! -e "$folder/limited" ] || as_root umount "$place"
	[ "$place" = "$folder" ] || as_root rm -rf "$place"
	as_root rm -rf "$folder"
	;;
esac
