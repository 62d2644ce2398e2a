/* How long a job may wait, as the rows of those say who care for their hosts. */
#include "queue/processes/servers.h"
#include "tests/support/queue.h"

/* In seconds; 0 = nothing is promised. */
static int64_t promised(struct test_db *test, const char *queue)
{
	const struct prune patience = prune_after(30 * CLOCK_SECOND, CLOCK_MINUTE, 0);
	struct servers servers;

	must(servers_read, test->db, test->arena, &patience, &servers);
	return servers_promise(test->db, &servers, queue) / CLOCK_SECOND;
}

DB_CASE(the_name_then_the_longest_prefix_of_each_and_the_strictest_of_all)
{
	assert_int_equal(promised(test, "mail"), 0);
	(void)register_process(test->db, "Supervisor(fork)", "one",
			       "{\"late_after\":{\"*\":300000,\"mail\":600000,\"im*\":20000,"
			       "\"imports*\":1800000,\"imp*\":10000}}");
	assert_int_equal(promised(test, "mail"), 600);
	assert_int_equal(promised(test, "imports"), 1800);
	assert_int_equal(promised(test, "imports-a"), 1800);
	assert_int_equal(promised(test, "import"), 10);
	assert_int_equal(promised(test, "im"), 20);
	assert_int_equal(promised(test, "m"), 300);
	(void)register_process(test->db, "Worker", "two",
			       "{\"late_after\":{\"imports-a\":3600000,\"mails\":1000,"
			       "\"ma*\":60000}}");
	assert_int_equal(promised(test, "mail"), 60);
	assert_int_equal(promised(test, "mails"), 1);
	assert_int_equal(promised(test, "imports-a"), 1800);
	assert_int_equal(promised(test, "m"), 300);
	fall_silent(test, "one", 2 * CLOCK_MINUTE);
	assert_int_equal(promised(test, "imports-a"), 3600);
	assert_int_equal(promised(test, "imports"), 0);
}

/* As the database compares them; of two spellings of one the strictest. */
DB_CASE(names_are_equal_when_the_database_says_so)
{
	const bool folds = db_dialect_of(test->db) == DB_MYSQL;

	(void)register_process(test->db, "Supervisor(fork)", "one",
			       "{\"late_after\":{\"Mail\":60000,\"mail\":70000,\"MAIL\":50000,"
			       "\"Im*\":10000,\"*\":300000}}");
	assert_int_equal(promised(test, "Mail"), folds ? 50 : 60);
	assert_int_equal(promised(test, "mAIL"), folds ? 50 : 300);
	assert_int_equal(promised(test, "Imports"), 10);
	assert_int_equal(promised(test, "imports"), folds ? 10 : 300);
}

/* Other versions, and other software, may write something else there. */
DB_CASE(what_is_not_understood_is_passed_over)
{
	static const char odd[] = "{\"late_after\":{\"mail\":\"1\",\"\":1000,\"ma*\":0,\"m*\":-1,"
				  "\"*\":9223372036854775807,\"mai*\":1.5,\"mail*\":null}}";
	static const char *const strange[] = { odd, "{\"late_after\":[1000]}",
					       "{\"late_after\":\"1s\"}", "{\"late_after\":{}}",
					       "late_after" };

	for (size_t i = 0; i < sizeof(strange) / sizeof(strange[0]); i++)
		(void)register_process(test->db, "Worker", arena_printf(test->arena, "w-%zu", i),
				       strange[i]);
	(void)register_process(test->db, "Worker", "none", NULL);
	assert_int_equal(promised(test, "mail"), 0);
	assert_int_equal(promised(test, ""), 0);
	(void)register_process(test->db, "Worker", "more",
			       "{\"late_after\":{\"x\":{\"late\":1},\"mail\":2000}}");
	assert_int_equal(promised(test, "mail"), 2);
}
