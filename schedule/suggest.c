#include "schedule/reading.h"

const char *schedule_suggest(const struct reading *reading)
{
	(void)reading;
	return NULL;
}
