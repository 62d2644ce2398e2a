# shellcheck shell=sh
# Sourced by test.sh and quickstart.sh: installs what is missing on Debian and Ubuntu, and only
# that. First the want_* functions gather, then install_wanted asks for all of it at once.
wanted=

# as_root COMMAND...: as is for root, by sudo for others.
as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

# want_command PROGRAM PACKAGE: PACKAGE is wanted unless PROGRAM can be run.
want_command()
{
	command -v "$1" >/dev/null 2>&1 || [ -x "/usr/sbin/$1" ] || wanted="$wanted $2"
}

# want_library NAME PACKAGE: the same for a library as pkg-config knows it.
want_library()
{
	pkg-config --exists "$1" 2>/dev/null || wanted="$wanted $2"
}

# want_file PATTERN PACKAGE: the same for a file.
want_file()
{
	# shellcheck disable=SC2086 # a pattern
	ls $1 >/dev/null 2>&1 || wanted="$wanted $2"
}

# install_wanted: installs what was gathered; a package written a|b is a where the system has it.
install_wanted()
{
	[ -n "$wanted" ] || return 0
	if ! command -v apt-get >/dev/null 2>&1; then
		echo "Please install by hand (there is no apt-get here):$wanted" >&2
		return 1
	fi
	if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
		echo "Please install as root (there is no sudo here):$wanted" >&2
		return 1
	fi
	echo "Installing with apt-get:$wanted"
	# The lists of a fresh image are empty, those of a CI machine may be old.
	as_root apt-get update -qq || return 1
	packages=
	for choice in $wanted; do
		first=${choice%%|*}
		if [ "$first" != "$choice" ] && ! apt-cache show "$first" >/dev/null 2>&1; then
			first=${choice#*|}
		fi
		packages="$packages $first"
	done
	# shellcheck disable=SC2086 # a list
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
		-o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 $packages >/dev/null || return 1
	wanted=
}
