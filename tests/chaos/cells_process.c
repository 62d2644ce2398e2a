/* Processes that are killed, or frozen for longer than they may be silent. */
#include "tests/chaos/cells.h"

#define FROZEN  (3500 * CLOCK_MILLISECOND) /* more than the threshold */
#define ROUNDS  3
#define BETWEEN (700 * CLOCK_MILLISECOND)

static void freeze(struct field *field, const char *kind)
{
	size_t count;
	pid_t pid = site_rows(field->site, kind, &count)[0].pid;

	assert_int_equal(kill(pid, SIGSTOP), 0);
	clock_sleep(FROZEN);
	assert_int_equal(kill(pid, SIGCONT), 0);
}

/* Nobody else can have its jobs: it may hold a lock. If somebody did, it says what it lost. */
static void await_confession(struct field *field)
{
	if (field_logged(field, "\"processes.pruned\"") > 0)
		field_await_loss(field);
}

void cell_worker_frozen(struct field *field)
{
	freeze(field, "Worker");
	await_confession(field);
}

void cell_dispatcher_frozen(struct field *field)
{
	freeze(field, "Dispatcher");
	await_confession(field);
}

void cell_supervisor_frozen(struct field *field)
{
	freeze(field, "Supervisor(fork)");
}

/* All of one instance, as a host that sleeps. */
void cell_instance_frozen(struct field *field)
{
	size_t count;
	pid_t pids[FIELD_PROCESSES] = { 0 };
	size_t frozen = 0;
	const struct process_row *rows = site_rows(field->site, NULL, &count);
	int64_t supervisor = 0;

	for (size_t i = 0; i < count; i++)
		if (rows[i].pid == field->second.pid)
			supervisor = rows[i].id;
	for (size_t i = 0; i < count && frozen < FIELD_PROCESSES; i++)
		if (rows[i].id == supervisor || rows[i].supervisor_id == supervisor)
			pids[frozen++] = rows[i].pid;
	assert_int_equal(frozen, FIELD_PROCESSES);
	for (size_t i = 0; i < frozen; i++)
		assert_int_equal(kill(pids[i], SIGSTOP), 0);
	clock_sleep(FROZEN);
	for (size_t i = 0; i < frozen; i++)
		assert_int_equal(kill(pids[i], SIGCONT), 0);
	await_confession(field);
}

static void kill_again_and_again(struct field *field, const char *kind)
{
	for (int round = 0; round < ROUNDS; round++) {
		(void)field_signal(field, kind, SIGKILL, 0);
		clock_sleep(BETWEEN);
	}
}

void cell_workers_killed(struct field *field)
{
	kill_again_and_again(field, "Worker");
}

void cell_dispatcher_killed(struct field *field)
{
	kill_again_and_again(field, "Dispatcher");
}

/* What looks after it starts another one, while the old one's workers finish and leave. */
void cell_supervisor_killed(struct field *field)
{
	assert_int_equal(kill(field->site->start.pid, SIGKILL), 0);
	assert_int_equal(site_finish(field->site).code, -SIGKILL);
	field->site->start = site_spawn(field->site, NULL, (const char *[]){ "start", NULL });
	clock_sleep(2 * BETWEEN);
}
