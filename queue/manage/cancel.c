#include "queue/manage/cancel.h"

#include "queue/settle/cancellations.h"

struct db_call cancel_running(struct arena *arena, struct db_value jobs, struct db_value audit,
			      const char *reason, int64_t now)
{
	struct db_value *values = arena_array(arena, 5, sizeof(*values));
	char by[CANCEL_BY];

	cancel_by(by);
	values[0] = jobs;
	values[1] = audit;
	values[2] = (struct db_value)DB_P_TEXT("requested_by", arena_strdup(arena, by));
	values[3] = reason ? (struct db_value)DB_P_TEXT("reason", reason)
			   : (struct db_value)DB_P_NULL("reason");
	values[4] = (struct db_value)DB_P_TIME("now", now);
	return (struct db_call){ .operation = "cancel_running", .values = values, .count = 5 };
}
