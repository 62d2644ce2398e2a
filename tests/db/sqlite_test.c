/* What can happen to SQLite's file under a running deployment. */
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "db/operations.h"
#include "db/schema/schema.h"
#include "tests/support/queue.h"

static const char *file_of(const struct test_db *test)
{
	return strchr(test->url, ':') + 1;
}

static const char *const suffixes[] = { "", "-wal", "-shm" };

static void move_file(struct arena *arena, const char *from, const char *to)
{
	for (size_t i = 0; i < 3; i++)
		(void)rename(arena_printf(arena, "%s%s", from, suffixes[i]),
			     arena_printf(arena, "%s%s", to, suffixes[i]));
}

static enum status look(struct test_db *test, struct db_rows *rows, struct error *error)
{

	return db_query(test->db, test->arena, DB_CALL(waiting, .process_id = P_INT(1)), rows,
			error);
}

/* Nothing is written where nobody reads it, nothing is made anew, and the file may come back. */
DB_CASE_ONLY(a_moved_file_is_an_outage, "sqlite")
{
	const char *file = file_of(test);
	const char *other = arena_printf(test->arena, "%s.moved", file);
	const struct new_job job = { .class_name = "Moved" };
	struct enqueued result;
	struct db_rows rows;

	must(look, test, &rows);
	move_file(test->arena, file, other);
	must_say("sqlite.no_file", STATUS_DOWN, look, test, &rows);
	must_be(STATUS_DOWN, enqueue, test->db, &job, 1, &result);
	must_be(STATUS_DOWN, db_sync_clock, test->db);
	assert_int_not_equal(access(file, F_OK), 0);
	move_file(test->arena, other, file);
	must(enqueue, test->db, &job, 1, &result);
	assert_int_equal(rows_of(test, "ready_executions"), 1);
}

DB_CASE_ONLY(a_replaced_file_is_the_one_that_counts, "sqlite")
{
	const char *file = file_of(test);
	const char *other = arena_printf(test->arena, "%s.new", file);
	struct db_rows rows;
	struct db *db = test_db_open(arena_printf(test->arena, "sqlite3:%s", other));

	test_migrate(db, test->arena);
	put(db, "default", 0);
	db_close(db);
	must(look, test, &rows);
	assert_int_equal(db_int(&rows, 0, 0), 0);
	move_file(test->arena, file, arena_printf(test->arena, "%s.old", file));
	move_file(test->arena, other, file);
	must(look, test, &rows);
	assert_int_equal(db_int(&rows, 0, 0), 1);
}

/* The log may not grow: what a full disk or a quota does. All or none, and then all again. */
static int enqueue_without_room(unsigned index, void *data)
{
	struct test_db *test = data;
	struct rlimit limit;
	struct new_job jobs[100];
	struct enqueued results[100];
	struct error error = { 0 };
	struct db *db = test_db_open(test->url);

	(void)index;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = 65536;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (size_t i = 0; i < 100; i++)
		jobs[i] = (struct new_job){ .class_name = "Room" };
	assert_true(enqueue(db, jobs, 100, results, &error) != STATUS_OK);
	assert_int_equal(rows_of(test, "jobs"), 0);
	limit.rlim_cur = limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	must(enqueue, db, jobs, 100, results);
	db_close(db);
	return 0;
}

DB_CASE_ONLY(no_room_loses_nothing, "sqlite")
{
	test_in_children(&(struct test_function){ enqueue_without_room, test }, 1);
	assert_int_equal(rows_of(test, "jobs"), 100);
	test_invariant(test->db);
}

/* A file system of one mebibyte, which this process alone sees. */
static bool mount_small(const char *place)
{
	int flags = CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER);

	return mkdir(place, 0700) == 0 && unshare(flags) == 0 &&
	       mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("none", place, "tmpfs", 0, "size=1m") == 0;
}

/* One small row, again and again: the database does not grow, its log does. */
static enum status beat(struct test_db *test, int64_t process, struct error *error)
{

	return db_query(test->db, test->arena,
			DB_CALL(process_heartbeat, .process_id = P_INT(process),
				.name = P_TEXT("w"), .supervisor_id = P_NULL, .metadata = P_NULL,
				.now = P_TIME(db_now(test->db))),
			NULL, error);
}

#define NO_SMALL_DISK 3

static int64_t first_process(struct test_db *test)
{
	test_execute(test->db, "INSERT INTO solid_queue_processes (kind, name, pid, "
			       "last_heartbeat_at, created_at) VALUES ('Worker', 'w', 1, "
			       "'2026-01-01 00:00:00', '2026-01-01 00:00:00')");
	return 1;
}

/* It fills the disk long before SQLite would begin the log anew, and no room comes back outside. */
static int fill_a_small_disk(unsigned index, void *data)
{
	struct test_db own = *(struct test_db *)data;
	const char *place = arena_printf(own.arena, "%s.small", file_of(&own));

	(void)index;
	if (!mount_small(place))
		return NO_SMALL_DISK;
	own.db = test_db_open(arena_printf(own.arena, "sqlite3:%s/jobs.sqlite3", place));
	test_migrate(own.db, own.arena);
	int64_t process = first_process(&own);
	db_close(own.db); /* now the database has all its pages */
	own.db = test_db_open(arena_printf(own.arena, "sqlite3:%s/jobs.sqlite3", place));
	for (int i = 0; i < 1000; i++)
		must(beat, &own, process);
	db_close(own.db);
	return 0;
}

DB_CASE_ONLY(a_log_on_a_full_disk_gives_its_room_back, "sqlite")
{
	int result;

	test_fork_all(&(struct test_function){ fill_a_small_disk, test }, 1, &result, CLOCK_MINUTE);
	if (result == NO_SMALL_DISK) {
		print_message("skipped: no small file system can be mounted\n");
		skip();
	}
	assert_int_equal(result, 0);
}

/* The same below a limit: others have the file open, so that closing gives nothing back. */
static int beat_below_a_limit(unsigned index, void *data)
{
	struct test_db own = *(struct test_db *)data;
	const struct rlimit limit = { 600000, 600000 };
	int64_t process = first_process(&own);

	(void)index;
	own.db = test_db_open(own.url);
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (int i = 0; i < 300; i++)
		must(beat, &own, process);
	db_close(own.db);
	return 0;
}

DB_CASE_ONLY(a_log_that_may_not_grow_is_begun_anew, "sqlite")
{
	test_in_children(&(struct test_function){ beat_below_a_limit, test }, 1);
}

static int64_t length_of_log(const struct test_db *test)
{
	struct stat found = { 0 };

	assert_int_equal(stat(arena_printf(test->arena, "%s-wal", file_of(test)), &found), 0);
	return found.st_size;
}

/* Somebody reads on and on: the log can only grow. Then it is short again. */
DB_CASE_ONLY(a_long_log_is_cut, "sqlite")
{
	int64_t process = first_process(test);
	struct db *reader = test_db_open(test->url);

	test_execute(reader, "BEGIN; SELECT count(*) FROM solid_queue_processes;");
	while (length_of_log(test) < INT64_C(20000000))
		must(beat, test, process);
	db_close(reader);
	for (int i = 0; i < 10000 && length_of_log(test) >= INT64_C(17000000); i++)
		must(beat, test, process);
	assert_true(length_of_log(test) < INT64_C(17000000));
}

static void count_try(void *data)
{
	++*(int *)data;
}

/* `retry_for: 0` is one try. */
DB_CASE_ONLY(nothing_is_tried_again, "sqlite")
{
	struct test_db own = *test;
	const struct db_options options = { .call_timeout = 50 * CLOCK_MILLISECOND,
					    .retry_for = db_retry_setting(0) };
	int tries = 0;

	own.db = test_db_open_with(test->url, &options);
	db_between(own.db, count_try, &tries); /* called before each */
	test_execute(test->db, "BEGIN IMMEDIATE");
	must_be(STATUS_RETRY, beat, &own, 1);
	assert_int_equal(tries, 1);
	test_execute(test->db, "COMMIT");
	db_close(own.db);
}

DB_CASE_ONLY(a_missing_file_is_refused_at_first, "sqlite")
{
	const struct db_options options = { .must_exist = true };
	const char *file = arena_printf(test->arena, "%s.none", file_of(test));
	const char *url = arena_printf(test->arena, "sqlite3:%s", file);
	struct db *db;

	must_be(STATUS_INVALID, db_open, &db, url, &options);
	assert_int_not_equal(access(file, F_OK), 0);
}

static void assert_modes(const struct test_db *test, const char *file, mode_t mode)
{
	for (size_t i = 0; i < 3; i++) {
		struct stat found = { 0 };
		assert_int_equal(stat(arena_printf(test->arena, "%s%s", file, suffixes[i]), &found),
				 0);
		assert_int_equal(found.st_mode & 07777, mode);
	}
}

/* Arguments of jobs are in the file and its log; who else may read them is the owner's to say. */
DB_CASE_ONLY(nobody_else_reads_the_file, "sqlite")
{
	static const struct {
		const char *option;
		mode_t mode;
	} cases[] = { { "", 0600 }, { "?mode=0640", 0640 }, { "?mode=664", 0664 } };
	mode_t before = umask(077);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *file = arena_printf(test->arena, "%s.mode%zu", file_of(test), i);
		(void)umask(i == 0 ? 0 : 077);
		struct db *db = test_db_open(
			arena_printf(test->arena, "sqlite3:%s%s", file, cases[i].option));
		test_migrate(db, test->arena);
		assert_modes(test, file, cases[i].mode);
		assert_int_equal(chmod(file, 0606), 0);
		db_close(db);
		db = test_db_open(arena_printf(test->arena, "sqlite3:%s", file));
		put(db, "default", 0);
		assert_modes(test, file, 0606);
		db_close(db);
	}
	(void)umask(before);
}

DB_CASE_ONLY(a_link_to_nothing_is_followed, "sqlite")
{
	const char *file = arena_printf(test->arena, "%s.link", file_of(test));
	mode_t before = umask(0);

	assert_int_equal(symlink("linked.sqlite3", file), 0);
	db_close(test_db_open(arena_printf(test->arena, "sqlite3:%s", file)));
	struct stat found = { 0 };
	assert_int_equal(stat(file, &found), 0);
	assert_int_equal(found.st_mode & 07777, 0600);
	(void)umask(before);
}

DB_CASE_ONLY(a_mode_must_be_one, "sqlite")
{
	static const char *const modes[] = { "", "6", "600x", "0400", "888", "1600", "u=rw" };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct db *db;
		const char *url = arena_printf(test->arena, "%s?mode=%s", test->url, modes[i]);
		must_say("sqlite.mode", STATUS_INVALID, db_open, &db, url, NULL);
	}
}

/* Root opens everything, so somebody else must try. */
DB_CASE_ONLY(a_file_of_others_is_said_to_be, "sqlite")
{
	const char *file = file_of(test);
	bool root = geteuid() == 0;
	struct error error = { 0 };
	struct db *db;

	assert_int_equal(chmod(file, root ? 0600 : 0), 0);
	if (root)
		assert_int_equal(seteuid(65534), 0);
	enum status status =
		db_open(&db, test->url, &(struct db_options){ .must_exist = true }, &error);
	if (root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(chmod(file, 0600), 0);
	assert_status(status, STATUS_DOWN, &error);
	assert_contains(error.text, file);
	assert_contains(error.text, "Permission denied");
}

DB_CASE_ONLY(another_kind_of_file_is_no_bug, "sqlite")
{
	const char *file = arena_printf(test->arena, "%s.txt", file_of(test));
	const char *url = arena_printf(test->arena, "sqlite3:%s", file);
	const struct db_options options = { .must_exist = true };
	FILE *text = fopen(file, "we");
	struct db *db;

	assert_non_null(text);
	for (int i = 0; i < 100; i++)
		(void)fputs("nobody:x:65534:65534:nobody:/:/bin/false\n", text);
	(void)fclose(text);
	must_say("sqlite.not_a_database", STATUS_FATAL, db_open, &db, url, &options);
}
