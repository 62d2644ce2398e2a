/*
 * Private to this folder: what a supervisor has, and what it says of itself. supervisor.c is its
 * life and calls reload.c; both call state.c.
 */
#ifndef SUPERVISOR_STATE_H
#define SUPERVISOR_STATE_H

#include "process/service.h"
#include "supervisor/children.h"
#include "supervisor/maintenance.h"
#include "supervisor/reload.h"

enum phase {
	PHASE_BOOT, /* waiting for the database */
	PHASE_RUN,
	PHASE_FEEDERS, /* stopping those that bring work */
	PHASE_WORKERS, /* stopping those that do it */
	PHASE_QUIT,
	PHASE_DONE
};

enum asked { ASKED_NOTHING, ASKED_STOP, ASKED_QUIT };

struct supervisor {
	const struct config *config;
	struct loop *loop;
	struct maintenance maintenance;
	struct children children;
	size_t given_up; /* of them, as our row says it */
	struct reload reload;
	struct service service;
	enum phase phase;
	enum asked asked;
	int64_t phase_ends; /* clock_monotonic */
	int code;
};

/* Tells people, by our row's metadata, what has changed: quiet, the outcome of a reload. */
void supervisor_describe(struct supervisor *supervisor);

#endif
