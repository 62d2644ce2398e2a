/*
 * Names of queues are equal when the database says so, in every place alike: exactly on SQLite and
 * PostgreSQL; on MySQL and MariaDB by the tables' collation, as for Rails, whose unique index does
 * not let two spellings be paused, either.
 */
#include "tests/support/jobs/poller.h"

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

static bool folds(const struct test_db *test)
{
	return db_dialect_of(test->db) == DB_MYSQL;
}

/* Enqueues to "Mail" and says how many jobs a worker of these queues takes. */
static size_t taken(struct test_db *test, const char *const *queues)
{
	int64_t process = register_worker(test->db, "w");
	size_t count;

	test_execute(test->db, "DELETE FROM solid_queue_jobs");
	(void)put(test->db, "Mail", 0);
	(void)take(test, process, queues, 10, &count);
	return count;
}

DB_CASE(a_spelling_is_taken_or_not_however_it_is_chosen)
{
	const char *const *same[] = { LIST("Mail"), LIST("other", "Mail"), LIST("Mail", "x*"),
				      LIST("Ma*"),  LIST("Mail*"),         LIST("*") };
	const char *const *other[] = { LIST("mail"), LIST("other", "mail"), LIST("MAIL", "x*"),
				       LIST("ma*"),  LIST("MAIL*"),         LIST("other", "mA*") };
	const char *const *never[] = { LIST("Mai"), LIST("Mails"), LIST("other", "Mails*") };

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		assert_int_equal(taken(test, same[i]), 1);
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++)
		assert_int_equal(taken(test, other[i]), folds(test) ? 1 : 0);
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
		assert_int_equal(taken(test, never[i]), 0);
}

DB_CASE(a_pause_means_the_same_queues)
{
	const char *const *const lists[] = { (const char *const[]){ "Mail", NULL },
					     (const char *const[]){ "x", "Mail", NULL },
					     (const char *const[]){ "*", NULL } };

	assert_true(pause_queue(test, "mAIL"));
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(taken(test, lists[i]), folds(test) ? 0 : 1);
	assert_int_equal(pause_queue(test, "Mail"), !folds(test));
	assert_int_equal(taken(test, LIST("*")), 0);
	assert_true(resume_queue(test, "Mail"));
	assert_int_equal(taken(test, LIST("Mail")), 1);
}

/* Both spellings at once: a worker with a list takes them all, and there is one row of figures. */
DB_CASE(two_spellings_are_one_queue_or_two)
{
	int64_t process = register_worker(test->db, "w");
	struct queue_row *rows;
	size_t count;

	for (int i = 0; i < 3; i++) {
		(void)put(test->db, "mail", 0);
		(void)put(test->db, "Mail", 0);
	}
	must(queue_list, test->db, test->arena, &rows, &count);
	assert_int_equal(count, folds(test) ? 1 : 2);
	assert_int_equal(rows[0].size, folds(test) ? 6 : 3);
	(void)take(test, process, LIST("other", "mail"), 10, &count);
	assert_int_equal(count, folds(test) ? 6 : 3);
	(void)take(test, process, LIST("*"), 10, &count);
	assert_int_equal(count, folds(test) ? 0 : 3);
	test_invariant(test->db);
}

/* Classes are names of programs: exactly everywhere. */
DB_CASE(classes_are_exact)
{
	static const struct poller_queues chosen = { "q", "q*" };
	static const char *const classes[] = { "mailer" };
	struct poller worker;

	put_job(test->db, &(struct new_job){ .class_name = "Mailer", .queue = "q" });
	for (size_t i = 0; i < CHOICES; i++) {
		open_poller(&worker, test, i, &chosen);
		worker.claim.only_classes = classes;
		worker.claim.only_count = 1;
		assert_int_equal(poll_once(&worker), 0);
	}
}
