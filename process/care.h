/*
 * The care for a host's rows in the database: burying its dead processes, and healing what others
 * left behind. A supervisor's janitor does it, and so does a role that runs alone, through the same
 * code; that one has no children that could die.
 */
#ifndef CARE_H
#define CARE_H

#include <stdbool.h>
#include <stdint.h>

#include "process/healing.h"
#include "process/membership.h"
#include "process/notice.h"

/* A child that died, and still had its row: what a supervisor tells its janitor. */
struct death {
	uint32_t number; /* among the supervisor's deaths */
	int32_t pid;
	int32_t status; /* of waitpid(2) */
	char name[MEMBERSHIP_NAME_SIZE];
};

/* To a pipe that does not block. False: it is full. */
bool death_send(int fd, const struct death *death);

struct care {
	struct healing healing;
	struct death death;   /* who is buried next; pid 0 = nobody */
	int64_t retry_at;     /* clock_monotonic: not before, because the last attempt failed */
	struct healing *kept; /* NULL = nowhere */
	int deaths_fd;        /* of struct death; -1 = there is none */
	int notice_fd;        /* this and the next: where, and as whom, to say what was buried */
	unsigned lane;
};

void care_init(struct care *care, const struct config *config);

/* Is nobody left to be buried? */
bool care_is_done(struct care *care);

/*
 * Goes on where another process for the same supervisor was, by what it has kept there, and keeps
 * it: how long silence meant nothing, and when what is due.
 */
void care_resume(struct care *care, const struct config *config, struct healing *kept);

/* Buries one of those who have died, if any. Not OK: call again. */
enum status care_bury(struct care *care, struct membership *member, struct error *error) MUST_CHECK;

/* When something is due, clock_monotonic. */
int64_t care_due(struct care *care);

/*
 * Does what is due and logs it, one burial at a time, and heals when all are buried. Not OK: the
 * caller sets retry_at, and it continues where it failed.
 */
enum status care_run(struct care *care, struct membership *member, struct error *error) MUST_CHECK;

#endif
