/*
 * supervisor/: what only the supervisor does. Private: its state, and what its row says of it.
 * supervisor.c is its life and calls reload.c; both call state.c.
 */
#ifndef SUPERVISOR_STATE_H
#define SUPERVISOR_STATE_H

#include "process/service.h"
#include "supervisor/children.h"
#include "supervisor/maintenance.h"
#include "supervisor/reload.h"
#include "supervisor/supervisor.h"

enum phase {
	PHASE_BOOT, /* waiting for the database */
	PHASE_RUN,
	PHASE_FEEDERS, /* stopping processes that bring work */
	PHASE_WORKERS, /* stopping processes that do it */
	PHASE_QUIT,
	PHASE_DONE
};

enum asked { ASKED_NOTHING, ASKED_STOP, ASKED_QUIT };

struct supervisor {
	const struct config *config;
	struct supervisor_options options;
	struct loop *loop;
	struct maintenance maintenance;
	struct children children;
	size_t given_up; /* how many of them, by our row */
	size_t leaving;  /* the same */
	struct reload reload;
	struct service service;
	enum phase phase;
	enum asked asked;
	int64_t phase_ends; /* clock_monotonic */
	bool refused;       /* at the start: it has never run */
	int code;
};

/* Writes to our row's metadata, for people: quiet, what was given up or is leaving, the outcome of
 * a reload. */
void supervisor_describe(struct supervisor *supervisor);

#endif
