/*
 * Private to the files that run a role, a caller above its callees: runner.c is the life of the
 * process; it calls runner_hear.c (signals, the supervisor and its death) and runner_server.c
 * (which server answers); runner_hear.c calls runner_reload.c (another configuration); and all of
 * them call runner_state.c, the verbs that only change or tell the state below.
 */
#ifndef RUNNER_STATE_H
#define RUNNER_STATE_H

#include "common/text/text.h"
#include "process/control.h"
#include "process/healing.h"
#include "process/membership.h"
#include "process/notice.h"
#include "process/outage.h"
#include "process/runner.h"
#include "process/service.h"

enum stop { STOP_NOT, STOP_GRACEFUL, STOP_AT_ONCE };

struct runner {
	const struct role *role;
	const struct runner_options *options;
	struct loop *loop;
	struct membership member;
	struct role_context context;
	struct outage outage;
	struct healing healing; /* this and the next: of a process without supervisor */
	struct service service;
	struct text title;
	struct text members; /* of the metadata */
	bool started;
	unsigned servers_met; /* db_servers_met as we know it */
	bool unproven;        /* another server answers: is our row there? */
	bool hurried;         /* what runs was told to stop */
	enum stop stop;
	bool restart;       /* after the stop, with another configuration */
	const char *reason; /* of the stop, for the log */
	struct control_view seen;
	int64_t tick_at; /* all clock_monotonic */
	int64_t beat_at;
	int64_t title_at;
	int64_t notice_at; /* tell the supervisor that the loop turns */
	int64_t leave_by;  /* when stopping: jobs may run until then; once hurried, stop_grace more
			    */
};

/* Another server may answer than before: then our row is looked for there first. */
void runner_look_at_server(struct runner *runner);
bool runner_may_tick(struct runner *runner);

/* A heartbeat has reached our row, or has found it gone. */
void runner_proven(struct runner *runner);

/* Listens to signals and to the supervisor from now on. */
enum status runner_listen(struct runner *runner, struct error *error) MUST_CHECK;

/* Does it run without a supervisor? */
bool runner_is_alone(const struct runner *runner);

/* The loop ends soon; the strongest wish counts. */
void runner_ask(struct runner *runner, enum stop stop, const char *reason);

/* HUP to a role that runs alone. */
void runner_reload(struct runner *runner);

/* Tells the supervisor, if there is one. */
void runner_notify(const struct runner *runner, enum notice_kind kind, const char *text);

/* Metadata and title as the role tells them; both are kept up to date as its load changes. */
void runner_describe(struct runner *runner);

#endif
