/*
 * db/sqlite/: the SQLite driver.
 *
 * Private to the SQLite driver and the only file that includes SQLite: the write-ahead log and its
 * size, and ids that have come to their end.
 */
#ifndef SQLITE_DRIVER_H
#define SQLITE_DRIVER_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* When the log starts over, its file is cut to this length. */
#define SQLITE_LOG_PRAGMA "PRAGMA journal_size_limit=16777216"

struct sqlite_log {
	int longest;       /* pages at which it next waits for readers */
	int64_t *patience; /* of the connection's busy handler, microseconds */
};

/*
 * Called after every commit instead of SQLite's own checkpoints. Does what they do; in addition,
 * when readers have kept the log from starting over until it is long, waits for them once for a
 * short time, in which nothing can be written. `log` belongs to the connection.
 */
void sqlite_log_watch(sqlite3 *handle, struct sqlite_log *log);

/*
 * For a full disk: moves the log's content into the database and frees its space. A log is mostly
 * one page written many times, so this finds space even when the disk has none.
 */
void sqlite_log_give_back(sqlite3 *handle);

/*
 * After SQLITE_FULL: is that because the table that the statement inserts into has no ids left,
 * rather than for want of space?
 */
bool sqlite_out_of_ids(sqlite3 *handle, const char *sql);

#endif
