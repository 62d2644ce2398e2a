# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # the result is the gate's; jobs and the others are set by test.sh
# Sourced by test.sh: the gate that runs the real Solid Queue beside dray. Its sources, an
# application and what they need of Rails are none of ours: DRAY_TEST_RAILS is a folder with `gems` and
# `app`, Rails itself comes from a small Debian as MySQL does (servers.sh).
rails_root=${XDG_CACHE_HOME:-$HOME/.cache}/dray/rails
rails_packages=ruby,ruby-activejob,ruby-activerecord,ruby-railties,ruby-concurrent,ruby-thor
rails_packages=$rails_packages,ruby-pg,ruby-mysql2,ruby-sqlite3,ruby-actioncable,ruby-propshaft
rails_packages=$rails_packages,ruby-importmap-rails,ruby-stimulus-rails

# want_rails: is the gate asked for, and can it run?
want_rails()
{
	is_wanted rails && [ -n "${DRAY_TEST_RAILS:-}" ]
}

# rails_prepare: a folder of this run below the little Debian's root, for Rails sees nothing else.
rails_prepare()
{
	little_debian "$rails_root" "$rails_packages" usr/bin/ruby || return 1
	rails_place=$(as_root mktemp -d "$rails_root/tmp/dray-XXXXXX")
	as_root chown "$(id -u):$(id -g)" "$rails_place"
	cp -r "$DRAY_TEST_RAILS/gems" "$DRAY_TEST_RAILS/app" tests/rails/console.rb \
		tests/unit/model/schedules.rb "$rails_place"
	export DRAY_TEST_RAILS_ROOT="$rails_root" DRAY_TEST_RAILS_PLACE="$rails_place"
}

# gate_rails: a line for each rule and database.
gate_rails()
{
	if [ -z "${DRAY_TEST_RAILS:-}" ]; then
		cat <<'TEXT'
********************************************************************************
***  LEFT OUT: nothing was tested beside the real Solid Queue.               ***
***  DRAY_TEST_RAILS must name a folder with its sources and an application. ***
********************************************************************************
TEXT
		result='LEFT OUT'
		return 0
	fi
	rails_prepare || return 1
	proof rails '(OK|FAILED) .* rule |FAILED|LEFT OUT'
}
