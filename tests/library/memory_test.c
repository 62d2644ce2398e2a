/*
 * Running out of memory at every allocation in turn: a status, never an exit or a crash, and a
 * client that works afterwards. What such a call had in its hands is lost, so each case runs in a
 * child of its own, where no leak is looked for.
 */
#include <errno.h>

#include "include/dray.h"
#include "tests/support/queue.h"

/* Our allocator stands in for the C library's, or WRAP_ALLOCATIONS replaces our own calls. */
#ifdef WRAP_ALLOCATIONS
#define HOOK(name) __wrap_##name
#define REAL(name) __real_##name
#else
#define HOOK(name) name
#define REAL(name) __libc_##name
#endif

/* NOLINTBEGIN(bugprone-reserved-identifier,readability-inconsistent-declaration-parameter-name) */
void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *memory, size_t size);
DRAY_EXPORT void *HOOK(malloc)(size_t size);
DRAY_EXPORT void *HOOK(calloc)(size_t count, size_t size);
DRAY_EXPORT void *HOOK(realloc)(void *memory, size_t size);

static unsigned fail_at; /* 0 = never */
static bool fail_on;     /* those after it as well */
static unsigned seen;

static bool refuses(void)
{
	if (fail_at == 0)
		return false;
	seen++;
	if (seen != fail_at && !(fail_on && seen > fail_at))
		return false;
	errno = ENOMEM;
	return true;
}

void *HOOK(malloc)(size_t size)
{
	return refuses() ? NULL : REAL(malloc)(size);
}

void *HOOK(calloc)(size_t count, size_t size)
{
	return refuses() ? NULL : REAL(calloc)(count, size);
}

void *HOOK(realloc)(void *memory, size_t size)
{
	return refuses() ? NULL : REAL(realloc)(memory, size);
}
/* NOLINTEND(bugprone-reserved-identifier,readability-inconsistent-declaration-parameter-name) */

static void arm(unsigned at, bool on)
{
	seen = 0;
	fail_on = on;
	fail_at = at;
}

/* Was any allocation refused? */
static bool disarm(void)
{
	unsigned at = fail_at;

	fail_at = 0;
	return seen >= at;
}

/* How calls may end for want of memory. */
static bool allowed(enum dray_status status)
{
	return status == DRAY_STATUS_OK || status == DRAY_STATUS_MEMORY ||
	       status == DRAY_STATUS_DOWN || status == DRAY_STATUS_UNCERTAIN;
}

static void expect(enum dray_status status, const struct dray_error *error)
{
	if (status != DRAY_STATUS_OK)
		fail_msg("%s: %s", dray_status_name(status), error->text);
}

static struct dray_client *open_client(const char *url)
{
	const struct dray_options options = DRAY_OPTIONS(.retry_for = 1);
	struct dray_client *client;
	struct dray_error error;

	expect(dray_open(url, &options, &client, &error), &error);
	return client;
}

struct shortage {
	struct test_db *test;
	bool on;
};

/* Enqueues one job with the at-th allocation refused; counts it in *jobs when it is there. */
static bool enqueue_short(struct shortage *shortage, unsigned at, int64_t *jobs, unsigned *memory)
{
	struct dray_client *client = open_client(shortage->test->url);
	struct dray_new_job job = DRAY_NEW_JOB(.class_name = "Short", .arguments = "{\"a\": [1]}");
	struct dray_new_job after = DRAY_NEW_JOB(.class_name = "After");
	struct dray_error error = { 0 };

	arm(at, shortage->on);
	enum dray_status status = dray_enqueue(client, &job, &error);
	bool refused = disarm();
	if (!allowed(status))
		fail_msg("allocation %u: %s: %s", at, dray_status_name(status), error.text);
	*memory += status == DRAY_STATUS_MEMORY;
	if (status == DRAY_STATUS_MEMORY || status == DRAY_STATUS_UNCERTAIN)
		do {
			status = dray_resolve(client, &job, 1, &error);
		} while (status == DRAY_STATUS_UNCERTAIN);
	*jobs += status == DRAY_STATUS_OK;
	expect(dray_enqueue(client, &after, &error), &error);
	*jobs += 1;
	dray_close(client);
	return refused;
}

static int enqueue_in_turn(unsigned index, void *data)
{
	struct shortage *shortage = data;
	int64_t jobs = 0;
	unsigned memory = 0;
	unsigned at = 1;

	(void)index;
	/* The first one of a process allocates what stays for ever, some of it in the linker. */
	enqueue_short(shortage, 1000000, &jobs, &memory);
	while (enqueue_short(shortage, at, &jobs, &memory))
		at++;
	print_message("%u allocations, %u times out of memory\n", at - 1, memory);
	assert_true(memory >= 10);
	assert_count(shortage->test, jobs, "solid_queue_jobs");
	return 0;
}

static void run_short(struct test_db *test, int (*run)(unsigned index, void *data), bool on)
{
	struct shortage shortage = { .test = test, .on = on };
	const struct test_function function = { .run = run, .data = &shortage };

	test_in_children(&function, 1);
}

TEST(each_allocation_of_an_enqueue_fails_once)
{
	run_short(*state, enqueue_in_turn, false);
}

/* PostgreSQL's client library then waits for its timeout, and again, and again. */
TEST_ONLY(every_allocation_from_one_on_fails, "sqlite mysql mariadb")
{
	run_short(*state, enqueue_in_turn, true);
}

static bool open_short(struct shortage *shortage, unsigned at)
{
	struct dray_client *client = NULL;
	struct dray_error error = { 0 };

	arm(at, shortage->on);
	enum dray_status status = dray_open(shortage->test->url, NULL, &client, &error);
	bool refused = disarm();
	if (!allowed(status))
		fail_msg("allocation %u: %s: %s", at, dray_status_name(status), error.text);
	assert_true((status == DRAY_STATUS_OK) == (client != NULL));
	dray_close(client);
	return refused;
}

static int open_in_turn(unsigned index, void *data)
{
	struct shortage *shortage = data;
	unsigned at = 1;

	(void)index;
	open_short(shortage, 1000000);
	while (open_short(shortage, at))
		at++;
	assert_true(at > 10);
	return 0;
}

TEST_ONLY(each_allocation_of_an_open_fails_once, "sqlite")
{
	run_short(*state, open_in_turn, false);
}
