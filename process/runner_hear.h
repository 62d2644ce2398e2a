/*
 * Private to the files that run a role: the state of one, and what it hears and says. runner.c is
 * the life of the process. It calls runner_hear.c, which obeys signals, the supervisor and another
 * configuration, and never calls back.
 */
#ifndef RUNNER_HEAR_H
#define RUNNER_HEAR_H

#include "common/text/text.h"
#include "process/care.h"
#include "process/control.h"
#include "process/lead/lead.h"
#include "process/membership.h"
#include "process/notice.h"
#include "process/outage.h"
#include "process/runner.h"
#include "process/service.h"

#define RUNNER_TICK "tick" /* as a cause of an outage */

enum stop { STOP_NOT, STOP_GRACEFUL, STOP_AT_ONCE };

struct runner {
	const struct role *role;
	const struct runner_options *options;
	struct loop *loop;
	struct membership member;
	struct role_context context;
	struct outage outage;
	struct care care;       /* only without a supervisor, and of the janitor */
	struct lead lead;       /* the same */
	struct service service; /* only without a supervisor */
	struct text title;
	struct text members; /* of the metadata */
	struct text said;    /* the janitor: by the supervisor of itself */
	unsigned said_seen;  /* the same: which change */
	bool away;           /* the same: it has said that its database is away */
	bool started;
	unsigned servers_met; /* db_servers_met as we know it */
	bool unproven;        /* another server answers: it is not known whether our row is there */
	bool beats;           /* its last heartbeat has worked */
	bool hurried;         /* runs were told to stop */
	enum stop stop;
	bool restart;          /* after the stop, with another configuration */
	const char *reason;    /* of the stop, for the log */
	const char *leaves;    /* the same of leaving; NULL = is not leaving */
	int64_t leaving_since; /* the database's clock */
	bool refused;          /* leaving for a configuration that cannot be used as it is now */
	struct control_view seen;
	int64_t held_at;       /* it is held then; CLOCK_NEVER = nobody holds it */
	bool held;             /* its row says so */
	int64_t trouble_since; /* its row says that its ticks fail; the database's clock, 0 = not */
	uint64_t environment;  /* what it was at the start, as a number */
	int64_t outdated_since; /* it could not take over what it was handed; as trouble_since */
	int64_t tick_at;        /* all clock_monotonic */
	int64_t tend_at;
	int64_t beat_at;
	int64_t title_at;
	int64_t notice_at; /* when to tell the supervisor that the loop turns */
	int64_t leave_by;  /* when stopping: runs may go on until then; after hurry, as the role
			      said */
};

/* Starts to listen to signals and to the supervisor. */
enum status runner_listen(struct runner *runner, struct error *error) MUST_CHECK;

/* Does it run without a supervisor? */
bool runner_is_alone(const struct runner *runner);

/* Does it keep its supervisor's row, and care for its host? */
bool runner_is_janitor(const struct runner *runner);

/* May it lead? It keeps a row of its own without a supervisor, or that of its supervisor. */
bool runner_may_lead(const struct runner *runner);

/* Asks the loop to end; the strongest request counts. */
void runner_ask(struct runner *runner, enum stop stop, const char *reason);

/* Before each turn: asks for the stop when what ran has ended. */
void runner_end_leaving(struct runner *runner);

/* role->tick, within what the others of its seat leave, and tells them what it holds. */
enum status runner_tick_role(struct runner *runner, int64_t *wait, struct error *error) MUST_CHECK;

/* After each tick: has its row say that ticks fail, if that lasts, or that they work again. */
void runner_note_trouble(struct runner *runner);

/* At the start: notes what another configuration will be compared with. */
void runner_expect_reload(struct runner *runner);

/* Takes over what the supervisor has handed over; done again once the role has started. */
void runner_take_over(struct runner *runner);

/* Sends a notice to the supervisor, if there is one. */
void runner_notify(const struct runner *runner, enum notice_kind kind, const char *text);

/* Updates metadata and title as the role describes itself. */
void runner_describe(struct runner *runner);

#endif
