/*
 * A cell of the suite: one verb meets one fault at one point, on the stage, which is a database of
 * this program's own. A child process runs the verb; then what it said is compared with what is
 * there, the living clean up, and nothing may be wrong.
 */
#ifndef FAULT_CELL_H
#define FAULT_CELL_H

#include "tests/fault/scene.h"

/* How a point fails, and what that must come to. */
struct failing {
	const char *arm; /* "kill": what follows "POINT=" */
	bool fails;      /* the verb cannot succeed */
	bool lasts;      /* however often it is tried */
	bool between;    /* also between two statements, where what was done is locked */
	bool at_commit;
	bool committed;
};

/* One verb, one point, one failing. */
struct cell {
	const struct verb *verb;
	const char *point;
	const struct failing *failing;
};

extern struct test_db cell_stage; /* its backend is set by main */

/* For cmocka's groups. */
int cell_stage_open(void **state);
int cell_stage_close(void **state);

/* Does the name of a point end so? */
bool cell_ends_with(const char *text, const char *end);

/* A cmocka test; *state is the cell. */
void cell_run(void **state);

#endif
