#include "common/fault.h"

#include <ctype.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_ARMED 16
#define NAME_SIZE  64

struct arm {
	char point[NAME_SIZE];
	enum fault_action action;
	unsigned from; /* the passage at which it acts first, from 1 */
	unsigned until;
	atomic_uint passed;
};

/* Shared memory: a parent and its next child see what a child has counted. */
struct armed {
	atomic_uint acted;
	atomic_int actor;
	size_t count;
	struct arm list[MOST_ARMED];
};

static struct armed *armed; /* NULL = nothing */
static pthread_once_t environment_read = PTHREAD_ONCE_INIT;

/* Made by the linker around what FAULT_REGISTER emits; absent where nothing is registered. */
/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
extern const char *const __start_dray_faults[] __attribute__((weak));
extern const char *const __stop_dray_faults[] __attribute__((weak));
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

static const char *const action_names[FAULT_ACTIONS] = {
	[FAULT_NONE] = "none", [FAULT_KILL] = "kill",   [FAULT_STOP] = "stop",
	[FAULT_CUT] = "cut",   [FAULT_RETRY] = "retry", [FAULT_FATAL] = "fatal",
};

const char *fault_action_name(enum fault_action action)
{
	return action_names[action];
}

static enum fault_action parse_action(const char *text, size_t length)
{
	for (enum fault_action action = FAULT_KILL; action < FAULT_ACTIONS; action++)
		if (strlen(action_names[action]) == length &&
		    memcmp(action_names[action], text, length) == 0)
			return action;
	return FAULT_NONE;
}

/* "", "@3" or "@3+". */
static bool parse_passages(const char *text, size_t length, struct arm *arm)
{
	char *end;

	arm->from = arm->until = 1;
	if (length == 0)
		return true;
	if (text[0] != '@' || !isdigit((unsigned char)text[1]))
		return false;
	unsigned long number = strtoul(text + 1, &end, 10);
	if (number == 0 || number >= (unsigned)-1)
		return false;
	arm->from = arm->until = (unsigned)number;
	if (*end == '+')
		arm->until = (unsigned)-1;
	return end + (*end == '+') == text + length;
}

/* POINT=ACTION[@N[+]] of this length. */
static enum status parse_arm(const char *text, size_t length, struct arm *arm, struct error *error)
{
	size_t name = strcspn(text, "=");
	const char *action = text + name + 1;

	if (name == 0 || name >= length || name >= NAME_SIZE)
		return error_set(error, STATUS_INVALID,
				 "fault '%.*s': expected POINT=ACTION[@N[+]]", (int)length, text);
	size_t rest = length - name - 1;
	size_t word = strcspn(action, "@,");
	word = word < rest ? word : rest;
	memcpy(arm->point, text, name);
	arm->action = parse_action(action, word);
	if (arm->action == FAULT_NONE || !parse_passages(action + word, rest - word, arm))
		return error_set(error, STATUS_INVALID,
				 "fault '%.*s': expected kill, stop, cut, retry or fatal, and "
				 "perhaps @N or @N+",
				 (int)length, text);
	return STATUS_OK;
}

static enum status parse_fault(const char *text, struct armed *into, struct error *error)
{
	enum status status = STATUS_OK;

	while (*text != '\0' && status == STATUS_OK) {
		size_t length = strcspn(text, ",");
		if (into->count == MOST_ARMED)
			return error_set(error, STATUS_INVALID, "more than %d faults", MOST_ARMED);
		status = parse_arm(text, length, &into->list[into->count++], error);
		text += length + (text[length] == ',');
	}
	return status;
}

void fault_disarm(void)
{
	if (armed)
		munmap(armed, sizeof(*armed));
	armed = NULL;
}

enum status fault_arm(const char *text, struct error *error)
{
	struct armed *next = mmap(NULL, sizeof(*next), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (next == MAP_FAILED)
		return error_set(error, STATUS_FATAL, "no shared memory for faults");
	enum status status = parse_fault(text, next, error);
	if (status != STATUS_OK) {
		munmap(next, sizeof(*next));
		return status;
	}
	fault_disarm();
	armed = next;
	return STATUS_OK;
}

enum status fault_arm_from_environment(struct error *error)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment */
	const char *text = getenv("DRAY_FAULT");

	return armed || !text ? STATUS_OK : fault_arm(text, error);
}

static void read_environment(void)
{
	struct error error;

	if (fault_arm_from_environment(&error) == STATUS_OK)
		return;
	(void)fprintf(stderr, "DRAY_FAULT: %s\n", error.text);
	abort();
}

static struct armed *look(void)
{
	(void)pthread_once(&environment_read, read_environment);
	return armed;
}

unsigned fault_acted(void)
{
	return armed ? atomic_load(&armed->acted) : 0;
}

int fault_actor(void)
{
	return armed ? atomic_load(&armed->actor) : 0;
}

bool fault_is_armed(const char *subject)
{
	const struct armed *faults = look();
	size_t length = strlen(subject);

	for (size_t i = 0; faults && i < faults->count; i++)
		if (strncmp(faults->list[i].point, subject, length) == 0 &&
		    faults->list[i].point[length] == '.')
			return true;
	return false;
}

void fault_each_armed(void (*each)(const char *point, void *context), void *context)
{
	const struct armed *faults = look();

	for (size_t i = 0; faults && i < faults->count; i++)
		each(faults->list[i].point, context);
}

void fault_each(void (*each)(const char *point, void *context), void *context)
{
	/* cppcheck-suppress comparePointers ; the linker puts one section between them */
	for (const char *const *name = __start_dray_faults; name < __stop_dray_faults; name++)
		each(*name, context);
}

static enum fault_action act(struct armed *faults, enum fault_action action)
{
	if (action == FAULT_NONE)
		return action;
	atomic_store(&faults->actor, getpid());
	atomic_fetch_add(&faults->acted, 1);
	if (action != FAULT_KILL && action != FAULT_STOP)
		return action;
	(void)raise(action == FAULT_KILL ? SIGKILL : SIGSTOP);
	return FAULT_NONE;
}

enum fault_action fault_pass(const char *point)
{
	struct armed *faults = look();
	enum fault_action action = FAULT_NONE;

	for (size_t i = 0; faults && i < faults->count; i++) {
		struct arm *arm = &faults->list[i];
		if (strcmp(arm->point, point) != 0)
			continue;
		unsigned passage = atomic_fetch_add(&arm->passed, 1) + 1;
		if (passage >= arm->from && passage <= arm->until)
			action = arm->action;
	}
	return faults ? act(faults, action) : FAULT_NONE;
}

void fault_point(const char *point)
{
	enum fault_action action = fault_pass(point);

	if (action == FAULT_NONE)
		return;
	(void)fprintf(stderr, "fault %s: no connection here for '%s'\n", point,
		      fault_action_name(action));
	abort();
}

/* `point` is "ROLE.beat". */
void fault_role_point(const char *word, const char *point)
{
	char name[NAME_SIZE];

	(void)snprintf(name, sizeof(name), "%s%s", word, strchr(point, '.'));
	fault_point(name);
}
