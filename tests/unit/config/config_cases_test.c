/*
 * Every file of config_cases is loaded as it is. Lines at its top say how and what must come of
 * it, exactly and in order; a file without `# expect:` must load without a word. Those called
 * recurring_* are RK11 and CF17: what a task must have, and all mistakes at once.
 *
 *     # environment: staging          default: development
 *     # set: NAME=value               an environment variable
 *     # expect: 3:5: message          after "file:"
 *     # warning: 3:5: message         the same, but no reason to refuse the file
 *
 * queue_*.yml are read as queue.yml, jobs_*.yml as jobs.yml, recurring_*.yml as recurring.yml.
 */
#include <dirent.h>

#include "config/config.h"
#include "db/db.h"
#include "tests/support/test.h"

#define EXPECTED_MAXIMUM    32
#define WRONG_FILES_MINIMUM 60

struct config_case {
	const char *file, *environment;
	const char *variables[EXPECTED_MAXIMUM];
	size_t variable_count;
	struct config_problem expected[EXPECTED_MAXIMUM];
	size_t expected_count;
	bool wrong;
};

static const char *after(const char *line, const char *word)
{
	size_t length = strlen(word);
	return strncmp(line, word, length) == 0 ? line + length : NULL;
}

static void add_expected(struct config_case *test, struct arena *arena, const char *text,
			 bool warning)
{
	assert_true(test->expected_count < EXPECTED_MAXIMUM);
	test->expected[test->expected_count++] = (struct config_problem){
		arena_printf(arena, "%s:%s", test->file, text),
		warning,
	};
	test->wrong |= !warning;
}

static bool read_line(struct config_case *test, struct arena *arena, const char *line)
{
	const char *value;
	if ((value = after(line, "# expect: ")))
		add_expected(test, arena, value, false);
	else if ((value = after(line, "# warning: ")))
		add_expected(test, arena, value, true);
	else if ((value = after(line, "# environment: ")))
		test->environment = arena_strdup(arena, value);
	else if ((value = after(line, "# set: ")))
		test->variables[test->variable_count++] = arena_strdup(arena, value);
	else
		return false;
	return true;
}

static void read_case(struct config_case *test, struct arena *arena)
{
	char *line = NULL;
	size_t size = 0;
	FILE *file = fopen(test->file, "re");
	assert_non_null(file);
	while (getline(&line, &size, file) > 0) {
		line[strcspn(line, "\r\n")] = '\0';
		if (!read_line(test, arena, line))
			break;
	}
	free(line);
	(void)fclose(file);
}

static void set_variables(const struct config_case *test, bool set)
{
	for (size_t i = 0; i < test->variable_count; i++) {
		char name[64];
		size_t length = strcspn(test->variables[i], "=");
		assert_in_range(length, 1, sizeof(name) - 1);
		memcpy(name, test->variables[i], length);
		name[length] = '\0';
		assert_int_equal(
			set ? setenv(name, test->variables[i] + length + 1, 1) : unsetenv(name), 0);
	}
}

static void compare(const struct config_case *test, const struct config_problems *problems)
{
	bool same = test->expected_count == problems->count;
	for (size_t i = 0; same && i < problems->count; i++)
		same = strcmp(test->expected[i].text, problems->list[i].text) == 0 &&
		       test->expected[i].warning == problems->list[i].warning;
	if (same)
		return;
	for (size_t i = 0; i < test->expected_count; i++)
		print_error("expected: %s\n", test->expected[i].text);
	for (size_t i = 0; i < problems->count; i++)
		print_error("%s %s\n", problems->list[i].warning ? "warning:" : "error:",
			    problems->list[i].text);
	fail_msg("%s: other problems than expected", test->file);
}

/* Is it a wrong file? */
static bool run_case(const char *file)
{
	struct arena *arena = arena_new();
	struct config_case test = { .file = file, .environment = "development" };
	struct config_problems problems = { 0 };
	struct config *config = NULL;
	read_case(&test, arena);
	set_variables(&test, true);
	bool queue = strncmp(file, "queue_", 6) == 0;
	bool recurring = strncmp(file, "recurring_", 10) == 0;
	struct config_request request = {
		.environment = test.environment,
		.config_file = queue ? file : "queue_good.yml",
		.jobs_file = queue || recurring ? "jobs_good.yml" : file,
		.recurring_file = recurring ? file : NULL,
		.check_url = db_check_url,
	};
	enum status status = config_load(&config, arena, &request, &problems);
	set_variables(&test, false);
	compare(&test, &problems);
	assert_int_equal(status, test.wrong ? STATUS_INVALID : STATUS_OK);
	assert_true(test.wrong == (config == NULL));
	config_free(config);
	arena_free(arena);
	return test.wrong;
}

static int is_case(const struct dirent *entry)
{
	return strstr(entry->d_name, ".yml") != NULL;
}

CASE(test_files)
{
	struct dirent **entries = NULL;
	size_t wrong = 0;
	assert_int_equal(chdir(SOURCE_DIR "/tests/unit/config_cases"), 0);
	int count = scandir(".", &entries, is_case, alphasort);
	assert_true(count > 0);
	for (int i = 0; i < count; i++) {
		wrong += run_case(entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	assert_in_range(wrong, WRONG_FILES_MINIMUM, 10000);
}
