#include "queue/manage/cancel.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "queue/settle/cancellations.h"

#define TITLE "dray: worker" /* of who runs jobs: /proc/PID/comm */

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

static bool is_first(const struct db_rows *rows, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (db_int(rows, i, CANCEL_PID) == db_int(rows, row, CANCEL_PID))
			return false;
	return true;
}

void cancel_wake(const struct db_rows *rows)
{
	char here[HOSTNAME_SIZE];

	process_hostname(here);
	for (size_t i = 0; i < rows->count; i++) {
		const char *host = db_text(rows, i, CANCEL_HOSTNAME);
		const pid_t pid = (pid_t)db_int(rows, i, CANCEL_PID);
		if (host && strcmp(host, here) == 0 && is_first(rows, i) &&
		    process_has_title(pid, TITLE))
			(void)kill(pid, PROCESS_LOOK);
	}
}
