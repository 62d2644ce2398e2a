#include "queue/processes/wake.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "common/process.h"
#include "db/operations.h"

#define TITLE "dray: worker" /* of who runs jobs: /proc/PID/comm */

static bool is_first(const struct db_rows *rows, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (db_int(rows, i, RUNNING_PID) == db_int(rows, row, RUNNING_PID))
			return false;
	return true;
}

void processes_wake(const struct db_rows *rows)
{
	char here[HOSTNAME_SIZE];

	process_hostname(here);
	for (size_t i = 0; i < rows->count; i++) {
		const char *host = db_text(rows, i, RUNNING_HOSTNAME);
		const pid_t pid = (pid_t)db_int(rows, i, RUNNING_PID);
		if (host && strcmp(host, here) == 0 && is_first(rows, i) &&
		    process_has_title(pid, TITLE))
			(void)kill(pid, PROCESS_LOOK);
	}
}
