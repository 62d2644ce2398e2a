#include "db/sqlite/driver.h"

#include "common/clock.h"

#define OFTEN   1000 /* pages: SQLite's own default */
#define LONGEST 8000 /* pages: 32 MB */
#define WAIT    (200 * CLOCK_MILLISECOND)

static int committed(void *context, sqlite3 *handle, const char *name, int pages)
{
	struct sqlite_log *log = context;

	if (pages < OFTEN)
		return SQLITE_OK;
	if (pages < log->longest) {
		(void)sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_PASSIVE, NULL,
						NULL);
		return SQLITE_OK;
	}
	const int64_t patience = *log->patience;
	*log->patience = patience < WAIT ? patience : WAIT;
	int code = sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	*log->patience = patience;
	log->longest = code == SQLITE_OK ? LONGEST : pages + LONGEST;
	return SQLITE_OK; /* the transaction is committed, whether this worked or not */
}

void sqlite_log_watch(sqlite3 *handle, struct sqlite_log *log)
{
	log->longest = LONGEST;
	(void)sqlite3_wal_hook(handle, committed, log);
}

void sqlite_log_give_back(sqlite3 *handle)
{
	(void)sqlite3_wal_checkpoint_v2(handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
}
