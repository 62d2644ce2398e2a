/* The tables: what Rails sees of them. */
#include "tests/rails/shared.h"

/* dray polls: there is nothing of ours on the tables that would tell it of new jobs. */
SHARED_CASE(no_trigger_stands_on_the_tables)
{
	static const char *const triggers[DB_DIALECTS] = {
		[DB_POSTGRESQL] = "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal",
		[DB_MYSQL] = ("SELECT count(*) FROM information_schema.triggers "
			      "WHERE trigger_schema = DATABASE()"),
		[DB_SQLITE] = "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'",
	};

	assert_int_equal(site_int(site, triggers[db_dialect_of(site->db)]), 0);
}

/* Neither adopting the tables nor working on them changes what Rails has in its schema file. */
static void a_dump_is_what_it_would_be_without_us(void **state)
{
	struct site *site = shared_open_unadopted(*state);
	const char *before = ruby(site->arena, "dump(/^dray/)");

	assert_contains(before, "solid_queue_ready_executions");
	(void)site_dray(site, "db", "migrate");
	shared_start(site, "[dray]");
	site_await(site, shared_put(site, "DrayJob, 1, queue: %q(dray)"), JOB_FINISHED);
	(void)site_stop(site, SIGTERM);
	assert_string_equal(ruby(site->arena, "dump(/^dray/)"), before);
	shared_close(site);
}

/* bin/rails db:prepare finds its tables, which dray has made, and leaves the jobs in them. */
static void a_database_of_ours_is_one_to_rails(void **state)
{
	struct site *site = site_open(*state);
	const char *url = console_url(site->arena, site->url);

	(void)site_dray(site, "db", "migrate");
	int64_t job = site_enqueue(site, "Touch", "file");
	(void)ruby(site->arena, "use(%%q(%s)); prepare(%%q(%s))", url, url);
	assert_string_equal(ruby(site->arena, "SolidQueue::Job.pluck(:id).join"),
			    arena_printf(site->arena, "%lld", (long long)job));
	assert_int_equal(site_state(site, job), JOB_READY);
	(void)site_dray(site, "db", "verify");
	shared_close(site);
}

/* A schema file with our tables, loaded, is a database without what our migrations have noted. */
SHARED_CASE(a_schema_file_with_our_tables_can_be_loaded)
{
	(void)ruby(site->arena, "dump_and_load");
	(void)site_dray(site, "db", "migrate");
	(void)site_dray(site, "db", "verify");
	shared_start(site, "[dray]");
	site_await(site, shared_put(site, "DrayJob, 1, queue: %q(dray)"), JOB_FINISHED);
}

SHARED_CASES(schema, RULE("17", no_trigger_stands_on_the_tables),
	     RULE("15", a_database_of_ours_is_one_to_rails),
	     RULE("15", a_schema_file_with_our_tables_can_be_loaded),
	     RULE("15", a_dump_is_what_it_would_be_without_us));
