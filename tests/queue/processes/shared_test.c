/* Is it seen that other software works with the same tables, and is nothing seen that is not? */
#include "queue/processes/shared.h"

#include "db/schema/schema.h"
#include "tests/support/queue.h"
#include "tests/support/sites/rails.h"

static struct shared look(struct test_db *test)
{
	struct shared shared;

	must(shared_look, test->db, test->arena, NULL, &shared);
	assert_true(shared.shared == (shared.why != NULL));
	return shared;
}

DB_CASE(tables_of_ours_are_not_shared)
{
	assert_false(look(test).shared);
	register_process(test->db, "Worker", "worker-1",
			 "{\"queues\":\"*\",\"software\":\"dray 0.1.0\",\"heartbeat_interval\":5}");
	assert_false(look(test).shared);
}

DB_CASE(a_process_of_other_software_shares_them)
{
	register_process(test->db, "Worker", "supervisor(fork)-1", NULL);
	assert_wording("shared.one", look(test).why);
	register_process(test->db, "Worker", "worker-1",
			 "{\"queues\":\"*\",\"thread_pool_size\":3}");
	assert_wording("shared.two", look(test).why);
}

DB_CASE_ON_EMPTY(tables_that_rails_made_are_shared)
{
	test_rails_tables(test);
	test_migrate(test->db, test->arena);
	assert_wording("shared.made_by_rails", look(test).why);
	test_execute(test->db, "DROP TABLE ar_internal_metadata");
	assert_wording("shared.made_by_rails", look(test).why);
}

DB_CASE(tables_of_ours_that_rails_took_over_are_shared)
{
	test_execute(test->db, "CREATE TABLE ar_internal_metadata (value varchar(255))");
	assert_wording("shared.beside_rails", look(test).why);
}

/* The database of an application, where dray has a schema of its own. */
DB_CASE_ONLY(rails_in_another_schema_does_not_matter, "postgresql")
{
	const struct db_options options = { .schema = "of dray" };
	struct shared shared;

	test_execute(test->db, "CREATE TABLE ar_internal_metadata (value varchar(255))");
	struct db *own = test_db_open_with(test->url, &options);
	test_migrate(own, test->arena);
	must(shared_look, own, test->arena, NULL, &shared);
	assert_false(shared.shared);
	test_execute(own, "CREATE TABLE \"of dray\".ar_internal_metadata (value varchar(255))");
	must(shared_look, own, test->arena, NULL, &shared);
	assert_true(shared.shared);
	db_close(own);
}

static void prune(struct test_db *test, int64_t expected)
{
	const struct prune prune = prune_after(CLOCK_MINUTE, 5 * CLOCK_MINUTE, 0);

	assert_int_equal(prune_dead(test, &prune, &test_policy).processes, expected);
}

static void assert_remembered(struct test_db *test, const char *name)
{
	struct shared shared = look(test);

	assert_true(shared.shared);
	assert_int_equal(shared.others, 0);
	assert_wording("shared.remembered", shared.why);
	assert_memory_equal(shared.why, name, strlen(name));
}

static int64_t remembered(struct test_db *test)
{
	return sql_number(test, "SELECT count(*) FROM dray_others");
}

/* All of Rails is down for a deployment, and its rows are pruned. */
DB_CASE(the_dead_are_remembered)
{
	register_process(test->db, "Worker", "worker-1",
			 "{\"software\":\"dray 0.1.0\",\"heartbeat_interval\":5}");
	register_process(test->db, "Worker", "rails-1", NULL);
	set_heartbeats(test, "2026-01-02 03:04:05");
	prune(test, 2);
	assert_remembered(test, "rails-1");
	assert_int_equal(remembered(test), 1);
}

DB_CASE(those_of_ours_are_not)
{
	register_process(test->db, "Worker", "worker-1",
			 "{\"software\":\"dray 0.1.0\",\"heartbeat_interval\":5}");
	prune(test, 0);
	set_heartbeats(test, "2026-01-02 03:04:05");
	prune(test, 1);
	assert_false(look(test).shared);
	assert_int_equal(remembered(test), 0);
}

/* They go in good order later, which no process of ours sees. */
DB_CASE(the_living_are_remembered)
{
	register_process(test->db, "Worker", "rails-1", NULL);
	register_process(test->db, "Worker", "rails-2", NULL);
	for (int looks = 0; looks < 2; looks++) {
		prune(test, 0);
		assert_int_equal(look(test).others, 2);
		assert_int_equal(remembered(test), 1);
	}
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	assert_remembered(test, "rails-1");
}

/* Also one that the look before has missed; here for its metadata, else for its lateness. */
DB_CASE(the_one_that_goes_is_remembered)
{
	register_process(test->db, "Worker", "rails-1",
			 "{\"under\":{\"software\":\"dray 0.1.0\"}}");
	prune(test, 0);
	assert_int_equal(remembered(test), 0);
	set_heartbeats(test, "2026-01-02 03:04:05");
	prune(test, 1);
	assert_remembered(test, "rails-1");
}

/* Two who see several at once. */
DB_CASE(the_first_of_a_kind_is_remembered)
{
	struct db_call seen = shared_seen(test->db, test->arena, "Worker", "rails-1");
	must(db_run, test->db, test->arena, &seen, 1);
	seen = shared_seen(test->db, test->arena, "Worker", "rails-2");
	must(db_run, test->db, test->arena, &seen, 1);
	assert_remembered(test, "rails-1");
	assert_int_equal(remembered(test), 1);
}

/* `dray check` may have no right to write. */
DB_CASE(a_look_remembers_nothing)
{
	register_process(test->db, "Worker", "rails-1", NULL);
	assert_true(look(test).shared);
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	assert_false(look(test).shared);
}

DB_CASE(a_class_of_others_shares_them)
{
	struct shared shared;

	must(shared_look, test->db, test->arena, "ImportJob", &shared);
	assert_true(shared.shared);
	assert_wording("shared.class_of_others", shared.why);
}

DB_CASE_ONLY(metadata_tells_whose_a_process_is, "sqlite")
{
	assert_true(shared_is_ours("{\"software\":\"dray 0.1.0\"}"));
	assert_false(shared_is_ours(NULL));
	assert_false(shared_is_ours("{}"));
	assert_false(shared_is_ours("{\"software\":\"other\"}"));
	assert_false(shared_is_ours("{\"software\":7}"));
	assert_false(shared_is_ours("no JSON"));
}
