#include "queue/manage/cancel.h"

#include "db/operations.h"
#include "queue/settle/cancellations.h"

void cancel_running(struct db_calls *calls, struct db_value jobs, struct db_value audit,
		    const char *reason, int64_t now)
{
	char by[CANCEL_BY];

	cancel_by(by);
	db_calls_add(calls,
		     DB_CALL(cancel_running, .jobs = jobs, .audit = audit,
			     .requested_by = P_TEXT(arena_strdup(calls->arena, by)),
			     .reason = reason ? P_TEXT(reason) : P_NULL, .now = P_TIME(now)));
}
