/* The database server stops, crashes, refuses. */
#include "common/clock.h"
#include "tests/chaos/cells.h"

#define SPELL CLOCK_SECOND /* how long something lasts */

void cell_nothing(struct field *field)
{
	(void)field;
	clock_sleep(SPELL);
}

void cell_server_restarted(struct field *field)
{
	server_stop(field->server);
	clock_sleep(SPELL);
	server_start(field->server);
}

void cell_server_crashed(struct field *field)
{
	server_crash(field->server);
	clock_sleep(SPELL);
	server_start(field->server);
}
