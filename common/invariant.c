#include "common/invariant.h"

#include <stdlib.h>

#include "common/log/log.h"

void invariant_broken(const char *text, const char *function)
{
	log_event(LOG_ERROR, "invariant.broken", LOG_TEXT("invariant", text),
		  LOG_TEXT("function", function));
	abort();
}
