/* Walks the child table without a process: every state and event. */
#include "supervisor/child.h"
#include "tests/support/test.h"

#define NOW (500 * CLOCK_SECOND)
#define PID 1234

struct record {
	int forks, last_signal, leaves;
	bool fork_fails;
};

static pid_t fake_fork(void *context, struct child *child)
{
	struct record *record = context;

	(void)child;
	record->forks++;
	return record->fork_fails ? -1 : PID;
}

static void fake_signal(void *context, const struct child *child, int signal)
{
	struct record *record = context;

	assert_int_equal(child->pid, PID);
	record->last_signal = signal;
}

static void fake_leave(void *context, const struct child *child)
{
	struct record *record = context;

	assert_int_equal(child->pid, PID);
	record->leaves++;
}

static struct child_care care_of(struct record *record)
{
	return (struct child_care){
		.now = NOW,
		.startup_timeout = 10,
		.stop_margin = 15,
		.quit_timeout = 30,
		.context = record,
		.fork = fake_fork,
		.signal = fake_signal,
		.leave = fake_leave,
	};
}

struct cell {
	enum child_state from;
	enum child_event event;
	enum child_state to;
	int signal; /* sent; 0 = none */
	bool forks;
	int64_t timer; /* afterwards */
};

static const struct cell cells[] = {
	{ CHILD_EMPTY, CHILD_FORK, CHILD_STARTING, 0, true, NOW + 10 },
	{ CHILD_EMPTY, CHILD_RENEW, CHILD_STARTING, 0, true, NOW + 10 },
	{ CHILD_EMPTY, CHILD_LEAVE, CHILD_STARTING, 0, true, NOW + 10 },
	{ CHILD_STARTING, CHILD_UP, CHILD_READY, 0, false, NOW + 40 },
	{ CHILD_STARTING, CHILD_EXIT, CHILD_BACKOFF, 0, false, NOW + 77 },
	{ CHILD_STARTING, CHILD_GONE, CHILD_EMPTY, 0, false, CLOCK_NEVER },
	{ CHILD_STARTING, CHILD_TIMER, CHILD_STOPPING, SIGTERM, false, NOW + 30 },
	{ CHILD_STARTING, CHILD_STOP, CHILD_STOPPING, SIGTERM, false, NOW + 20 },
	{ CHILD_STARTING, CHILD_QUIT, CHILD_STOPPING, SIGQUIT, false, NOW + 30 },
	{ CHILD_STARTING, CHILD_RENEW, CHILD_STOPPING, SIGTERM, false, NOW + 20 },
	{ CHILD_STARTING, CHILD_LEAVE, CHILD_STARTING, 0, false, 5 },
	{ CHILD_READY, CHILD_EXIT, CHILD_BACKOFF, 0, false, NOW + 77 },
	{ CHILD_READY, CHILD_GONE, CHILD_EMPTY, 0, false, CLOCK_NEVER },
	{ CHILD_READY, CHILD_BEAT, CHILD_READY, 0, false, NOW + 40 },
	{ CHILD_READY, CHILD_TIMER, CHILD_STOPPING, SIGKILL, false, CLOCK_NEVER },
	{ CHILD_READY, CHILD_STOP, CHILD_STOPPING, SIGTERM, false, NOW + 20 },
	{ CHILD_READY, CHILD_QUIT, CHILD_STOPPING, SIGQUIT, false, NOW + 30 },
	{ CHILD_READY, CHILD_RENEW, CHILD_STOPPING, SIGTERM, false, NOW + 20 },
	{ CHILD_READY, CHILD_LEAVE, CHILD_LEAVING, 0, false, 5 },
	{ CHILD_LEAVING, CHILD_BEAT, CHILD_LEAVING, 0, false, NOW + 40 },
	{ CHILD_LEAVING, CHILD_TIMER, CHILD_STOPPING, SIGKILL, false, CLOCK_NEVER },
	{ CHILD_LEAVING, CHILD_GONE, CHILD_EMPTY, 0, false, CLOCK_NEVER },
	{ CHILD_LEAVING, CHILD_STOP, CHILD_STOPPING, SIGTERM, false, NOW + 20 },
	{ CHILD_LEAVING, CHILD_QUIT, CHILD_STOPPING, SIGQUIT, false, NOW + 30 },
	{ CHILD_STOPPING, CHILD_EXIT, CHILD_BACKOFF, 0, false, NOW + 77 },
	{ CHILD_STOPPING, CHILD_GONE, CHILD_EMPTY, 0, false, CLOCK_NEVER },
	{ CHILD_STOPPING, CHILD_TIMER, CHILD_STOPPING, SIGKILL, false, CLOCK_NEVER },
	{ CHILD_STOPPING, CHILD_STOP, CHILD_STOPPING, SIGTERM, false, NOW + 20 },
	{ CHILD_STOPPING, CHILD_QUIT, CHILD_STOPPING, SIGQUIT, false, NOW + 30 },
	{ CHILD_BACKOFF, CHILD_TIMER, CHILD_STARTING, 0, true, NOW + 10 },
	{ CHILD_BACKOFF, CHILD_STOP, CHILD_EMPTY, 0, false, CLOCK_NEVER },
	{ CHILD_BACKOFF, CHILD_QUIT, CHILD_EMPTY, 0, false, CLOCK_NEVER },
	{ CHILD_BACKOFF, CHILD_RENEW, CHILD_BACKOFF, 0, false, NOW },
	{ CHILD_BACKOFF, CHILD_LEAVE, CHILD_BACKOFF, 0, false, NOW },
};

static const struct cell *expected(enum child_state state, enum child_event event)
{
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		if (cells[i].from == state && cells[i].event == event)
			return &cells[i];
	return NULL;
}

static struct child child_in(enum child_state state)
{
	bool has_process = state == CHILD_STARTING || state == CHILD_READY ||
			   state == CHILD_STOPPING || state == CHILD_LEAVING;

	return (struct child){
		.state = state,
		.wanted = state != CHILD_EMPTY,
		.pid = has_process ? PID : 0,
		.timer = 5,
		.stop_timeout = 5,
		.stall_limit = 40,
		.restart_at = NOW + 77,
	};
}

static void check_cell(enum child_state state, enum child_event event)
{
	const struct cell *cell = expected(state, event);
	struct record record = { 0 };
	struct child_care care = care_of(&record);
	struct child child = child_in(state);

	child_event(&child, event, &care);
	assert_int_equal(child.state, cell ? cell->to : state);
	assert_int_equal(child.timer, cell ? cell->timer : 5);
	assert_int_equal(record.last_signal, cell ? cell->signal : 0);
	assert_int_equal(record.forks, cell && cell->forks ? 1 : 0);
	assert_int_equal(record.leaves,
			 cell && event == CHILD_LEAVE && child.pid == PID && state != CHILD_EMPTY);
	assert_int_equal(child.pid,
			 child.state == CHILD_EMPTY || child.state == CHILD_BACKOFF ? 0 : PID);
}

CASE(test_every_cell)
{
	for (enum child_state from = 0; from < CHILD_STATES; from++)
		for (enum child_event event = 0; event < CHILD_EVENTS; event++)
			check_cell(from, event);
}

/* A renewal is forgotten when all are to go. */
CASE(test_renewal_and_the_end)
{
	struct record record = { 0 };
	struct child_care care = care_of(&record);
	struct child child = child_in(CHILD_READY);

	child_event(&child, CHILD_RENEW, &care);
	assert_true(child.wanted && child.renewed);
	child_event(&child, CHILD_STOP, &care);
	assert_false(child.wanted || child.renewed);
	child = child_in(CHILD_STARTING);
	child_event(&child, CHILD_RENEW, &care);
	child_event(&child, CHILD_QUIT, &care);
	assert_false(child.wanted || child.renewed);
	child = child_in(CHILD_READY);
	child_event(&child, CHILD_RENEW, &care);
	child_event(&child, CHILD_EXIT, &care);
	child_event(&child, CHILD_TIMER, &care);
	assert_int_equal(child.state, CHILD_STARTING);
	assert_true(child.wanted);
	assert_false(child.renewed);
}

/* Its place is another lane's; one that was not up yet keeps its own. */
CASE(test_leaving_and_starting_ones)
{
	struct record record = { 0 };
	struct child_care care = care_of(&record);
	struct child up = child_in(CHILD_READY);
	struct child starting = child_in(CHILD_STARTING);

	child_event(&up, CHILD_LEAVE, &care);
	assert_false(up.wanted || up.renewed);
	child_event(&starting, CHILD_LEAVE, &care);
	assert_true(starting.wanted && starting.renewed);
	child_event(&starting, CHILD_UP, &care);
	child_event(&starting, CHILD_LEAVE, &care);
	assert_int_equal(starting.state, CHILD_LEAVING);
	assert_false(starting.wanted || starting.renewed);
}

/* Who is asked to go is not replaced; who was only late is. */
CASE(test_who_is_still_wanted)
{
	struct record record = { 0 };
	struct child_care care = care_of(&record);
	struct child late = child_in(CHILD_STARTING);
	struct child asked = child_in(CHILD_READY);

	child_event(&late, CHILD_TIMER, &care);
	assert_true(late.wanted);
	child_event(&late, CHILD_STOP, &care);
	assert_false(late.wanted);
	child_event(&asked, CHILD_QUIT, &care);
	assert_false(asked.wanted);
}

CASE(test_a_refused_fork_is_tried_again)
{
	struct record record = { .fork_fails = true };
	struct child_care care = care_of(&record);
	struct child child = child_in(CHILD_EMPTY);

	child_event(&child, CHILD_FORK, &care);
	assert_int_equal(child.state, CHILD_BACKOFF);
	assert_int_equal(child.pid, 0);
	assert_int_equal(child.timer, NOW + CLOCK_SECOND);
	record.fork_fails = false;
	child_event(&child, CHILD_TIMER, &care);
	assert_int_equal(child.state, CHILD_STARTING);
	assert_int_equal(child.pid, PID);
	assert_true(child.wanted);
}

CASE(test_a_new_process_knows_nothing_of_the_old)
{
	struct record record = { 0 };
	struct child_care care = care_of(&record);
	struct child child = child_in(CHILD_BACKOFF);

	child.left = true;
	child.ready_at = 3;
	child_event(&child, CHILD_TIMER, &care);
	assert_false(child.left);
	assert_int_equal(child.ready_at, 0);
	child_event(&child, CHILD_UP, &care);
	assert_int_equal(child.ready_at, NOW);
}

CASE(test_names)
{
	for (enum child_state from = 0; from < CHILD_STATES; from++)
		assert_non_null(child_state_name(from));
	for (enum child_event event = 0; event < CHILD_EVENTS; event++)
		assert_non_null(child_event_name(event));
}
