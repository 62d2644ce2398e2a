/*
 * db/sqlite/: the SQLite driver.
 *
 * Private to the SQLite driver and the only file that includes SQLite: the write-ahead log and the
 * room it takes.
 */
#ifndef SQLITE_DRIVER_H
#define SQLITE_DRIVER_H

#include <sqlite3.h>
#include <stdint.h>

/* The file is not left longer than this once the log begins anew. */
#define SQLITE_LOG_PRAGMA "PRAGMA journal_size_limit=16777216"

struct sqlite_log {
	int longest;       /* pages before readers are waited for again */
	int64_t *patience; /* of the connection's busy handler, microseconds */
};

/*
 * After every commit, instead of SQLite's own checkpoints: as they do, and when readers have kept
 * the log from beginning anew until it is long, once with a short wait for them, in which nobody
 * can write. `log` belongs to the connection.
 */
void sqlite_log_watch(sqlite3 *handle, struct sqlite_log *log);

/*
 * Where the disk is full: moves what the log holds into the database and gives its room back. A
 * log is mostly one page written many times, so this finds room when the disk itself has none.
 */
void sqlite_log_give_back(sqlite3 *handle);

#endif
