/*
 * One database connection and the operations that run on it. An operation is one file of db/sql,
 * known by its name; its parameters are bound by name. Nothing here knows what a job is.
 *
 * A struct db belongs to one thread and never crosses a fork: every role opens its own. Every call
 * is bounded in time by options.call_timeout; the only retry loop is in db_run.
 */
#ifndef DB_H
#define DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/error.h"

struct db;
struct db_waiting;

enum db_dialect { DB_SQLITE, DB_POSTGRESQL, DB_MYSQL, DB_DIALECTS };

struct db_options {
	const char *schema;        /* PostgreSQL: schema of the tables; NULL = search path */
	const char *password_file; /* read at each connect; NULL = none */
	int64_t connect_timeout;   /* microseconds; 0 = 5 s */
	int64_t call_timeout;      /* longest wait for one round trip; 0 = 30 s */
	int64_t retry_for;         /* how long db_run retries after RETRY; 0 = 10 s, -1 = never */
	bool no_skip_locked;       /* for servers without SKIP LOCKED */
	bool one_plan;   /* PostgreSQL: a statement has one plan for all values, kept for seconds */
	bool no_folders; /* SQLite: INVALID when the file's folder is missing; else it is made */
	bool must_exist; /* SQLite: INVALID when the file is missing; else it is made */
	bool of_rails;   /* an application's own: Rails makes it, and messages say so */
	struct db_waiting *waiting; /* db_while_waiting: set by db.c, for the drivers */
};

/*
 * Opens a connection. `url` is sqlite3:PATH, postgres://... or mysql://...; INVALID when it is
 * malformed or its backend was not built in, DOWN when the server cannot be reached.
 */
enum status db_open(struct db **out, const char *url, const struct db_options *options,
		    struct error *error) MUST_CHECK;

/* NULL is allowed. An open transaction is rolled back. */
void db_close(struct db *db);

/* Checks the url without connecting: scheme known, backend built in, parts and options valid. */
enum status db_check_url(const char *url, struct error *error) MUST_CHECK;

/* Is the database of this url a file, and no server? */
bool db_is_file(const char *url);

/* The url, with a relative path of a file below `folder`, which has neither % nor ? in it. */
const char *db_url_below(struct arena *arena, const char *url, const char *folder);

enum db_dialect db_dialect_of(const struct db *db);

/*
 * Are the first `length` bytes of two names the same to the database? Where its tables ignore case
 * (MySQL, by default) this does, too, for ASCII. Without a database (NULL) case matters.
 */
bool db_same_name(const struct db *db, const char *a, const char *b, size_t length);

/* "PostgreSQL 15.20", "MySQL 9.7.4", "MariaDB 10.11.19", "SQLite 3.40.1". */
const char *db_server(const struct db *db);

/* Most bytes of a text column: 65,535 on MySQL, SIZE_MAX elsewhere. */
size_t db_text_maximum(const struct db *db);

/* The value for options.retry_for of a setting in which 0 means no retries. */
static inline int64_t db_retry_setting(int64_t configured)
{
	return configured > 0 ? configured : -1;
}

/* options.retry_for, or its default. */
int64_t db_retry_for(const struct db *db);

/* Limits retries to this time from now on, in microseconds; returns the limit before. */
int64_t db_set_retry_for(struct db *db, int64_t retry_for);

/*
 * How often a new connection has met a different server than the one before (PostgreSQL: another
 * cluster or timeline, MySQL: another server_uuid). The new one may lack what the other one had
 * confirmed.
 */
unsigned db_servers_met(const struct db *db);

/*
 * From now on a run that finds a different server does nothing and is DOWN, once: a caller that
 * holds something in the database must first check that it is still there.
 */
void db_be_wary(struct db *db);

/*
 * From now on call(data) is called before each transaction and each retry of one, so that timed
 * work (a heartbeat) is not late however long the transactions wait for locks. It may use db.
 */
void db_between(struct db *db, void (*call)(void *data), void *data);

/*
 * From now on call(data) is called, every 100 ms at most, while db waits for locks, an answer or a
 * connection, so that what needs no database is not late. A transaction may be open: it must not
 * use db. The libraries of MySQL wait by themselves: there it is called only before each try. NULL
 * = no more.
 */
void db_while_waiting(struct db *db, void (*call)(void *data), void *data);

/* Backends built in: "sqlite3 postgresql mysql". */
const char *db_backends(void);

/*
 * The time by the database's clock, microseconds UTC: its offset to our monotonic clock is measured
 * at connect and by db_sync_clock. Strictly increasing within one connection, so that a value can
 * mark the effects of one call.
 */
int64_t db_now(struct db *db);

/* Measures the clock again (one round trip); call with every heartbeat. */
enum status db_sync_clock(struct db *db, struct error *error) MUST_CHECK;

/* Wall clock of this machine minus the database's clock at the last measurement, microseconds. */
int64_t db_clock_skew(const struct db *db);

/* values and rows */

enum db_type { DB_UNSET, DB_NULL, DB_INT, DB_TEXT, DB_TIME, DB_BOOL, DB_IDS, DB_TEXTS, DB_ROWS };

/* The value of a parameter. Pointers need be valid during the call only. */
struct db_value {
	enum db_type type;
	unsigned first; /* of rows */
	size_t count;   /* of ids and texts; of rows at most */
	union {
		int64_t number;   /* DB_INT, DB_TIME (microseconds UTC), DB_BOOL */
		const char *text; /* DB_TEXT; NULL means SQL NULL */
		const int64_t *ids;
		const char *const *texts;
		const struct db_list *rows;
	};
};

#define P_NULL        ((struct db_value){ .type = DB_NULL })
#define P_INT(v)      ((struct db_value){ .type = DB_INT, .number = (int64_t)(v) })
#define P_BOOL(v)     ((struct db_value){ .type = DB_BOOL, .number = (v) ? 1 : 0 })
#define P_TEXT(v)     ((struct db_value){ .type = DB_TEXT, .text = (v) })
#define P_TIME(v)     ((struct db_value){ .type = DB_TIME, .number = (v) })
#define P_IDS(v, c)   ((struct db_value){ .type = DB_IDS, .ids = (v), .count = (c) })
#define P_TEXTS(v, c) ((struct db_value){ .type = DB_TEXTS, .texts = (v), .count = (c) })
#define P_ROWS(v)     ((struct db_value){ .type = DB_ROWS, .rows = (v), .count = SIZE_MAX })
#define P_PART(v, p)                                                                               \
	((struct db_value){ .type = DB_ROWS, .rows = (v), .first = (p).first, .count = (p).count })

/*
 * A parameter's rows, which stay values until the call runs: DB_ADD(&list, claim_row, .id =
 * P_INT(id)) adds one. A line "-- list claim_row(id, ...)" in a fragments.sql declares what the SQL
 * reads of each; what is left out is NULL there. Begin with {.arena = ...}. Texts are borrowed, and
 * in a list times are as Rails writes them.
 */
struct db_list {
	struct arena *arena;
	const char *columns;
	size_t width;
	struct db_value *cells; /* count * width; they move */
	size_t count;
};

#define DB_ADD(list, row, ...)                                                                     \
	db_list_add((list), row##_columns,                                                         \
		    (const struct db_value *)&(const struct row){ __VA_ARGS__ },                   \
		    sizeof(struct row) / sizeof(struct db_value))

void db_list_add(struct db_list *list, const char *columns, const struct db_value row[],
		 size_t width);

/*
 * Some rows of a list, with those in the same places of another: a statement's values must fit into
 * the server's largest packet, which is 16 MiB where it is smallest.
 */
struct db_part {
	unsigned first, count;
};

/* The next part; begin with {0}. False when there is none. `beside` may be NULL. */
bool db_part_next(struct db_part *part, const struct db_list *list, const struct db_list *beside);

/* The rows of an operation's row-returning statement; in the arena given to db_run. */
struct db_rows {
	size_t count;
	size_t columns;
	const char **cells; /* count * columns; NULL = SQL NULL */
	uint64_t changed;   /* rows changed by the script's guard, or else by its last statement */
};

const char *db_text(const struct db_rows *rows, size_t row, size_t column); /* NULL = SQL NULL */
int64_t db_int(const struct db_rows *rows, size_t row, size_t column);      /* 0 for NULL */
int64_t db_time(const struct db_rows *rows, size_t row, size_t column);     /* 0 for NULL */
bool db_is_null(const struct db_rows *rows, size_t row, size_t column);

/* running operations */

struct db_call {
	const char *operation;         /* file name in db/sql without ".sql" */
	const struct db_value *values; /* in the order of its signature */
	size_t count;
	struct db_rows rows; /* result */
	bool none;           /* result: its guard changed nothing, so it did nothing */
};

/*
 * A call of an operation with its values, DB_CALL(finish, .claims = P_TEXT(claims), .now =
 * P_TIME(now)), or of one without parameters; they are valid as long as the block in which they
 * stand, and the body of an `if` is a block, with braces or without: where a call is assigned or
 * returned, db_call_keep copies it. db/operations.h, which is made from db/sql, knows what each
 * operation takes, and by which constants (FINISH_JOB_ID) its columns are read. A parameter that is
 * left out is an error when the call runs.
 */
#define DB_CALL(op, ...)                                                                           \
	((struct db_call){                                                                         \
		.operation = #op,                                                                  \
		.values = (const struct db_value *)&(const struct op##_values){ __VA_ARGS__ },     \
		.count = sizeof(struct op##_values) / sizeof(struct db_value),                     \
	})
#define DB_PLAIN(op)                                                                               \
	((struct db_call){                                                                         \
		.operation = #op,                                                                  \
		.count = 0 * sizeof(char[sizeof(op##_takes) == sizeof(clock_takes) ? 1 : -1]) })

/* The name of op, which takes what another one takes: may stand in its place in a call. */
#define DB_LIKE(op, other)                                                                         \
	(&#op[0 * sizeof(char[sizeof(op##_takes) == sizeof(other##_takes) ? 1 : -1])])

/* For a reader of the columns of both. */
#define DB_ALIKE(op, other)                                                                        \
	_Static_assert(sizeof(op##_gives) == sizeof(other##_gives),                                \
		       #op " and " #other " give the same")

/* Calls that run together; zero, with an arena, is none. */
struct db_calls {
	struct arena *arena; /* of their values and results */
	struct db_call *list;
	size_t count;
};

/* Adds the call, its values copied. Returns its place in calls->list, which may move. */
size_t db_calls_add(struct db_calls *calls, struct db_call call);

/* The same call with values that live as long as the arena. */
struct db_call db_call_keep(struct arena *arena, struct db_call call);

/*
 * Runs the calls in order in one transaction (a single read-only operation runs without one) and
 * commits. On PostgreSQL it is one round trip when nothing has to be decided in between.
 *
 * OK: committed. NONE: a single call's guard found nothing and nothing was done (with several calls
 * each has its own `none` and the others are committed). RETRY, DOWN: nothing was committed, and
 * retrying for options.retry_for did not help. UNCERTAIN: the connection was lost while committing;
 * the caller looks (by claim ID, by unique key) before repeating, when db_settled says that it may.
 * CONFLICT: refused by a unique or foreign key, or by a trigger; nothing was committed. After DOWN
 * or UNCERTAIN the next db_run reconnects.
 */
enum status db_run(struct db *db, struct arena *arena, struct db_call *calls, size_t count,
		   struct error *error) MUST_CHECK;

/*
 * Has the server ended what a connection was doing when it was lost with an UNCERTAIN run (or was
 * abandoned in a run, for want of memory), so that a look at the database gives the final answer?
 * Ends the server's session where that is needed and allowed. OK: yes, also when nothing was lost.
 * UNCERTAIN: not yet; ask again. DOWN: the server cannot be asked.
 */
enum status db_settled(struct db *db, struct error *error) MUST_CHECK;

/* Did the last db_run fail? Then what called it failed because of the database. */
bool db_refused(const struct db *db);

/* db_run for one call: its rows, unless rows is NULL. */
enum status db_query(struct db *db, struct arena *arena, struct db_call call, struct db_rows *rows,
		     struct error *error) MUST_CHECK;

/* Closes the connection (for a long idle time or a known outage); the next db_run reconnects. */
void db_disconnect(struct db *db);

#endif
