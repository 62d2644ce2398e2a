#include "tests/support/model/config_world.h"
#include "tests/support/wording.h"

#include <sys/stat.h>

static const char *const variables[] = {
	"DRAY_ENV",
	"RAILS_ENV",
	"RACK_ENV",
	"DRAY_CONFIG",
	"SOLID_QUEUE_CONFIG",
	"DRAY_JOBS",
	"DRAY_DATABASE_URL",
	"DATABASE_URL",
	"DRAY_RECURRING",
	"SOLID_QUEUE_RECURRING_SCHEDULE",
	"SOLID_QUEUE_SKIP_RECURRING",
	"SOLID_QUEUE_ONLY_RECURRING",
	NULL,
};

int config_world_open(void **state)
{
	static struct config_world world;
	world = (struct config_world){ .directory = "/tmp/dray-config-XXXXXX" };
	for (size_t i = 0; variables[i]; i++)
		assert_int_equal(unsetenv(variables[i]), 0);
	assert_non_null(mkdtemp(world.directory));
	assert_int_equal(chdir(world.directory), 0);
	assert_int_equal(mkdir("config", 0755), 0);
	world.arena = arena_new();
	*state = &world;
	return 0;
}

int config_world_close(void **state)
{
	struct config_world *world = *state;
	config_free(world->config);
	arena_free(world->arena);
	return test_remove(world->directory);
}

struct test_result config_world_run(struct config_world *world, const char *const *arguments)
{
	return test_command_run(world->arena,
				&(struct test_command){ .arguments = arguments,
							.environment = variables,
							.directory = world->directory });
}

void config_world_bytes(const char *path, const char *bytes, size_t length)
{
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

void config_world_write(const char *path, const char *text)
{
	config_world_bytes(path, text, strlen(text));
}

enum status config_world_load(struct config_world *world, const struct config_request *request)
{
	config_free(world->config);
	world->config = NULL;
	return config_load(&world->config, world->arena, request, &world->problems);
}

void config_world_good(struct config_world *world, const struct config_request *request)
{
	if (config_world_load(world, request) != STATUS_OK)
		fail_msg("%s", config_world_problems(world, false));
}

void config_world_queue(struct config_world *world, const char *text)
{
	config_world_write("config/queue.yml", text);
	config_world_good(world, &(struct config_request){ 0 });
}

void config_world_text(struct config_world *world, const char *text)
{
	config_world_write("config/jobs.yml", "jobs:\n");
	config_world_queue(world, text);
}

const char *config_world_problems(const struct config_world *world, bool warnings)
{
	const char *all = "";

	for (size_t i = 0; i < world->problems.count; i++)
		if (warnings || !world->problems.list[i].warning)
			all = arena_printf(world->arena, "%s%s\n", all,
					   world->problems.list[i].text);
	return all;
}

void config_world_refused(struct config_world *world, const struct config_request *request,
			  const char *wording)
{
	assert_int_equal(config_world_load(world, request), STATUS_INVALID);
	assert_null(world->config);
	assert_wording(wording, config_world_problems(world, false));
}
