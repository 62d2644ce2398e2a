#include "process/source.h"

#include <stdio.h>
#include <string.h>

#include "common/log/log.h"

/* The first mistake is the outcome; all mistakes are logged. */
static void mistake(char outcome[SOURCE_OUTCOME_SIZE], const char *text)
{
	log_event(LOG_ERROR, "reload.mistake", LOG_TEXT("text", text));
	if (outcome[0] == '\0')
		(void)snprintf(outcome, SOURCE_OUTCOME_SIZE, "%s", text);
}

static void say_others(char outcome[SOURCE_OUTCOME_SIZE], size_t mistakes)
{
	const size_t length = strlen(outcome);

	if (mistakes > 1)
		(void)snprintf(outcome + length, SOURCE_OUTCOME_SIZE - length,
			       " (and %zu more mistake%s in its log)", mistakes - 1,
			       mistakes == 2 ? "" : "s");
}

static struct config *load(const struct config_source *source, char outcome[SOURCE_OUTCOME_SIZE])
{
	struct arena *arena = arena_new();
	struct config_problems problems = { 0 };
	struct config *config = NULL;
	enum status status = source->load(source->context, arena, &config, &problems);
	size_t mistakes = 0;

	for (size_t i = 0; i < problems.count; i++) {
		if (problems.list[i].warning) {
			log_event(LOG_WARN, "reload.warning",
				  LOG_TEXT("text", problems.list[i].text));
			continue;
		}
		mistake(outcome, problems.list[i].text);
		mistakes++;
	}
	say_others(outcome, mistakes);
	if (status != STATUS_OK && outcome[0] == '\0')
		mistake(outcome, "the configuration cannot be loaded");
	arena_free(arena);
	return status == STATUS_OK ? config : NULL;
}

static bool refuses_fixed(const struct config_diff *diff, char outcome[SOURCE_OUTCOME_SIZE])
{
	bool refused = false;

	for (size_t i = 0; i < diff->count; i++) {
		char text[256];
		if (diff->list[i].part != PART_FIXED)
			continue;
		(void)snprintf(text, sizeof(text),
			       "%s cannot change while dray runs: stop it and start it again",
			       diff->list[i].path);
		mistake(outcome, text);
		refused = true;
	}
	return refused;
}

static void log_changes(const struct config_diff *diff)
{
	for (size_t i = 0; i < diff->count; i++)
		log_event(LOG_INFO, "reload.change", LOG_TEXT("setting", diff->list[i].path),
			  LOG_TEXT("before", diff->list[i].before),
			  LOG_TEXT("after", diff->list[i].after));
}

struct config *source_load(const struct config_source *source, const struct config *current,
			   bool fixed, struct config_diff *diff, char outcome[SOURCE_OUTCOME_SIZE])
{
	outcome[0] = '\0';
	struct config *config = load(source, outcome);

	if (!config)
		return NULL;
	config_diff(current, config, diff);
	if (fixed && refuses_fixed(diff, outcome)) {
		config_free(config);
		return NULL;
	}
	log_changes(diff);
	return config;
}
