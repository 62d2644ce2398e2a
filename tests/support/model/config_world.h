/*
 * tests/support/model/: models that answers are compared with, and the worlds that tests begin
 * with.
 *
 * A directory of its own with config/queue.yml and config/jobs.yml as a test writes them, and what
 * config_load makes of them. For cmocka's setup and teardown.
 */
#ifndef CONFIG_WORLD_H
#define CONFIG_WORLD_H

#include "config/config.h"
#include "tests/support/sites/command.h"

struct config_world {
	char directory[64]; /* the current one */
	struct arena *arena;
	struct config *config; /* of the last load; NULL when it failed */
	struct config_problems problems;
};

int config_world_open(void **state);
int config_world_close(void **state);

/* A case in a world of its own, `world`. */
#define WORLD_CASE(function)                                                                       \
	TEST_GIVEN(function, (__attribute__((unused)) struct config_world * world),                \
		   function(*state), .set_up = config_world_open, .tear_down = config_world_close)

void config_world_bytes(const char *path, const char *bytes, size_t length);
void config_world_write(const char *path, const char *text);

/* dray with these arguments in the directory, without variables that name a configuration. */
struct test_result config_world_run(struct config_world *world, const char *const *arguments);

#define config_world_dray(world, ...)                                                              \
	config_world_run((world), (const char *const[]){ __VA_ARGS__, NULL })

enum status config_world_load(struct config_world *world, const struct config_request *request);

/* Fails the test when there is any error. */
void config_world_good(struct config_world *world, const struct config_request *request);

/* Loads config/queue.yml with this text; config_world_text: beside an empty list of jobs. */
void config_world_queue(struct config_world *world, const char *text);
void config_world_text(struct config_world *world, const char *text);

/* Must fail, with these errors (tests/wording.txt). */
void config_world_refused(struct config_world *world, const struct config_request *request,
			  const char *wording);

/* What the last load has said line by line: only errors, or also warnings. */
const char *config_world_problems(const struct config_world *world, bool warnings);

#endif
