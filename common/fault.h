/*
 * Fault points: places where a test can end, freeze or hinder the process, to prove that what is
 * left behind is repaired. They exist only in builds with -DDRAY_FAULTS=ON; in any other the macros
 * are empty and fault.c is not compiled.
 *
 * DRAY_FAULT="POINT=ACTION[@N[+]],..." in the environment, or fault_arm, arms points: the action is
 * taken at the N-th passage (the first, unless N is given), or with "+" at that and every later
 * one. Passages are counted over this process and all that it forks, so that a process that is
 * started again does not end in the same way.
 */
#ifndef FAULT_H
#define FAULT_H

#include <stdbool.h>

#include "common/error.h"

#ifdef DRAY_FAULTS

enum fault_action {
	FAULT_NONE,
	FAULT_KILL,  /* SIGKILL to itself */
	FAULT_STOP,  /* SIGSTOP to itself; goes on after SIGCONT */
	FAULT_CUT,   /* the database's connection is cut; only at points of db/ */
	FAULT_RETRY, /* the statement fails as after a deadlock; only at points of db/ */
	FAULT_FATAL, /* the statement fails for good; only at points of db/ */
	FAULT_ACTIONS
};

/* "kill", "stop", "cut", "retry", "fatal". */
const char *fault_action_name(enum fault_action action);

/*
 * Arms these points instead of those armed before. INVALID when the text is malformed; does not
 * check whether these points exist.
 */
enum status fault_arm(const char *text, struct error *error) MUST_CHECK;
void fault_disarm(void);

/* Parses DRAY_FAULT, if nothing is armed yet. INVALID as for fault_arm. */
enum status fault_arm_from_environment(struct error *error) MUST_CHECK;

/* How often an action was taken, in all processes that share the armed points. */
unsigned fault_acted(void);

/* The process that last took one; 0 = none. */
int fault_actor(void);

/* Is a point armed whose name begins with `subject` and a dot? */
bool fault_is_armed(const char *subject);

/* Calls with every point that is armed. */
void fault_each_armed(void (*each)(const char *point, void *context), void *context);

/*
 * Calls with every point of the roles; a name that begins with "ROLE." stands for one point of each
 * role.
 */
void fault_each(void (*each)(const char *point, void *context), void *context);

/*
 * Passes a point: kills or stops the process if that is armed, and returns any other action for the
 * caller to take. DRAY_FAULT is read at the first passage; if it is malformed the process aborts.
 */
enum fault_action fault_pass(const char *point);

/* A point of a role, where only the process itself can be ended or stopped. */
void fault_point(const char *point);
void fault_role_point(const char *word, const char *point);

/* The linker gathers all points in one section, which serves as their list. */
#define FAULT_REGISTER(name)                                                                       \
	static const char *const fault_name __attribute__((used, section("dray_faults"))) = (name)

#define FAULT_POINT(name)                                                                          \
	do {                                                                                       \
		FAULT_REGISTER(name);                                                              \
		fault_point(fault_name);                                                           \
	} while (0)

/* A point that every role has: "worker.beat" where the word is "worker" and the name "beat". */
#define FAULT_ROLE_POINT(word, name)                                                               \
	do {                                                                                       \
		FAULT_REGISTER("ROLE." name);                                                      \
		fault_role_point((word), fault_name);                                              \
	} while (0)

#else

#define FAULT_POINT(name)            ((void)0)
#define FAULT_ROLE_POINT(word, name) ((void)0)

#endif
#endif
