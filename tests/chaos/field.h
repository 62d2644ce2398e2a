/*
 * The field of the chaos suite: one database server of its own with a forwarder before it, and in
 * each cell a fresh site whose deployment (a supervisor, two workers with four threads each, a
 * dispatcher, a scheduler with tasks of every second) is fed while the cell disturbs it.
 *
 * A cell's disturbance begins and ends within its function. What is asserted is correctness: no job
 * is lost or finished twice, none is begun after it was finished, every occurrence of a task has
 * one job, service is regained. Figures are printed, one row a cell.
 */
#ifndef FIELD_H
#define FIELD_H

#include "tests/chaos/feeder.h"
#include "tests/support/servers/forwarder.h"
#include "tests/support/servers/server.h"
#include "tests/support/sites/site.h"

#define FIELD_WORKERS   2
#define FIELD_PROCESSES 5 /* with a row: supervisor, dispatcher, scheduler, workers */

struct field;

struct cell {
	const char *name;
	const char *backends; /* "mysql mariadb"; NULL = all */
	void (*disturb)(struct field *field);
	/* NULL, or how deployments of a special kind begin, until all have their rows. */
	void (*start)(struct field *field);
	void (*end)(struct field *field); /* NULL, or what its start needs, also after a failure */
	/* NULL, or what is wrong with a history that has rules of its own; NULL = nothing. */
	const char *(*fault)(const struct field *field);
	unsigned outages; /* an outage's lines are at most so many a process; 0 = not looked at */
	bool ghosts;      /* a process is frozen, and may begin what others have finished */
	bool two;         /* two instances: field->second is there too */
	const char *(*missing)(const struct field *field); /* NULL, or why it cannot be had here */
};

/* What a cell's row shows. */
struct figures {
	double before; /* jobs a second */
	double during;
	double after;
	double recovery; /* seconds until new work is done */
	size_t jobs;
	size_t lost;
	size_t rerun;    /* jobs that ran more than once */
	size_t twice;    /* finished twice */
	size_t ghosts;   /* runs begun after the job was finished */
	size_t repeated; /* runs for a claim that had been run */
	size_t failed;
	size_t astray; /* occurrences of tasks that have no job, or several */
	size_t away;   /* lines of the log that tell of an outage */
};

struct field {
	const struct cell *cell;
	const char *backend;
	struct arena *arena; /* the cell's */
	struct server *server;
	struct forwarder *forwarder; /* not for SQLite */
	const char *url;             /* straight, as a user without special rights */
	const char *through;         /* through the forwarder; SQLite: the same */
	struct db *admin;            /* the server's highest user, in the jobs' database */
	struct test_db test;
	struct site *site;
	struct test_running second; /* another instance; pid 0 = none */
	struct feeder feeder;
	const char *effects; /* file */
	const char *log;     /* of all deployments, once they have ended */
	struct figures figures;
};

/* Runs the cells on one backend, a cmocka group; how many failed. */
int field_run(const char *backend, const struct cell *cells, size_t count);

/* A file like config/queue.yml, for another url. */
void field_write_config(const struct field *field, const char *name, const char *url);

/* Jobs run so far, in halves: every run has two lines. */
size_t field_lines(const struct field *field);

/* Waits until as many more lines have come as prove that claims are made again. */
void field_await_progress(struct field *field);

/* Waits until a log has this text. */
void field_await_log(struct field *field, const char *text);

/* Lines of all logs with this text; NULL = all lines. */
size_t field_logged(const struct field *field, const char *text);

/* Waits until a log has a process, of whatever role, say that others presumed it dead. */
void field_await_loss(struct field *field);

/* SQL on the admin's connection; fails the test on error. */
void field_execute(struct field *field, const char *sql);

/* The first `count` rows' processes of a kind get the signal; 0 = all. How many did. */
size_t field_signal(struct field *field, const char *kind, int signal, size_t count);

/* Checks the whole history of a cell whose deployments have ended; sets the figures. */
void verdict_reach(struct field *field);
/* The same of the recurring tasks' occurrences. */
size_t occurrences_astray(struct field *field);
void verdict_show_header(void);
void verdict_show(const struct field *field);
void verdict_assert(const struct field *field);

#endif
