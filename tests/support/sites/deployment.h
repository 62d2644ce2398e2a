/*
 * A deployment in a test's own program: a site (site.h) that has no need of the built program. Its
 * configuration is built by hand, its roles may be the test's, and each process is forked from the
 * test. site.h's verbs serve for looking, waiting and stopping; the log is text here.
 */
#ifndef DEPLOYMENT_H
#define DEPLOYMENT_H

#include <stdatomic.h>

#include "common/role.h"
#include "config/config.h"
#include "supervisor/supervisor.h"
#include "tests/support/sites/site.h"

struct deployment {
	struct site *site;
	struct arena *arena;  /* the test's */
	struct config config; /* short intervals; a test changes it before the start */
	struct config_scheduler scheduler;
	int log; /* what all its processes have written, in memory */
};

/* One at a time, as with sites; it lives until the next one. */
struct deployment *deployment_open(struct test_db *test);

/* site_close */
void deployment_close(struct deployment *deployment);

/*
 * A TEST whose deployment is opened before it and closed after it: `deployment` and `site` are
 * variables of the file. The second argument is that of TEST_ONLY.
 */
#define DEPLOYMENT_CASE(function)                DEPLOYMENT_CASE_AS(function, .only = NULL)
#define DEPLOYMENT_CASE_ONLY(function, backends) DEPLOYMENT_CASE_AS(function, .only = (backends))
#define DEPLOYMENT_CASE_AS(function, ...)                                                          \
	static void function##_in(void);                                                           \
	TEST_CASE(function, .on_databases = true, __VA_ARGS__)                                     \
	{                                                                                          \
		deployment = deployment_open(*state);                                              \
		site = deployment->site;                                                           \
		function##_in();                                                                   \
		deployment_close(deployment);                                                      \
	}                                                                                          \
	static void function##_in(void)

/* Entries of the configuration. */
void deployment_worker(struct deployment *deployment, const char *queue, int threads);
void deployment_dispatcher(struct deployment *deployment);

/* Gives each role that has no entry one with its defaults, and a scheduler without tasks. */
void deployment_rest(struct deployment *deployment);

/* A recurring task of class "Test" that makes up for all it has missed within an hour. */
struct config_task *deployment_task(struct deployment *deployment, const char *key,
				    const char *schedule);

/* Forks `run`, whose value is the exit status, as the site's program. */
void deployment_fork(struct deployment *deployment, int (*run)(struct deployment *deployment));

/* Forks a supervisor; options may be NULL. */
void deployment_start(struct deployment *deployment, const struct supervisor_options *options);

/* Forks a role that runs alone. */
void deployment_start_role(struct deployment *deployment, const struct role *role);

/* Waits until what a role counts in memory of test_share has come to this. */
void deployment_await(struct deployment *deployment, atomic_int *value, int least);

/* A role that the test itself ticks. */
struct ticking {
	const struct role *role;
	struct role_context context;
	struct error error;
};

/* Starts it on this connection. */
struct ticking ticking_start(struct deployment *deployment, const struct role *role, struct db *db);

/* A tick that must work: how long the role then waits. */
int64_t ticking_tick(struct ticking *ticking);
void ticking_close(struct ticking *ticking);

#endif
