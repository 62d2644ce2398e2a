/* What can happen to a file. */
#include <stdio.h>

#include "common/clock.h"
#include "tests/chaos/cells.h"

#define LOCKED (3 * CLOCK_SECOND) /* more than a call waits for a lock */
#define GONE   (1500 * CLOCK_MILLISECOND)

void cell_file_locked(struct field *field)
{
	field_execute(field, "BEGIN EXCLUSIVE");
	clock_sleep(LOCKED);
	field_execute(field, "ROLLBACK");
}

/* With its directory, and so in one step with what belongs to it. */
void cell_file_gone(struct field *field)
{
	const char *here = arena_printf(field->arena, "%s/storage", field->server->place);
	const char *away = arena_printf(field->arena, "%s/away", field->server->place);

	assert_int_equal(rename(here, away), 0);
	clock_sleep(GONE);
	assert_int_equal(rename(away, here), 0);
}
