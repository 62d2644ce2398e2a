/*
 * The kinds of settings. All kinds that are one number underneath (numbers, durations, sizes,
 * booleans, choices) share one reader and differ in a row of a table; texts and lists have their
 * own.
 */
#include "config/settings/value.h"

#include <assert.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "config/config.h"

static enum status to_bool(const struct setting *setting, const char *text, int64_t *number)
{
	(void)setting;
	bool value = false;
	enum status status = parse_bool(text, &value);
	*number = value;
	return status;
}

static enum status to_number(const struct setting *setting, const char *text, int64_t *number)
{
	(void)setting;
	return parse_int(text, INT64_MIN, INT64_MAX, number);
}

static enum status to_duration(const struct setting *setting, const char *text, int64_t *number)
{
	(void)setting;
	return parse_duration(text, number);
}

static enum status to_seconds(const struct setting *setting, const char *text, int64_t *number)
{
	(void)setting;
	int64_t span = 0;
	if (parse_duration(text, &span) != STATUS_OK || span % CLOCK_SECOND)
		return STATUS_INVALID;
	*number = span / CLOCK_SECOND;
	return STATUS_OK;
}

static enum status to_size(const struct setting *setting, const char *text, int64_t *number)
{
	(void)setting;
	return parse_size(text, number);
}

static enum status to_choice(const struct setting *setting, const char *text, int64_t *number)
{
	for (int64_t i = 0; setting->choices[i]; i++) {
		if (strcmp(setting->choices[i], text) != 0)
			continue;
		*number = i;
		return STATUS_OK;
	}
	return STATUS_INVALID;
}

/* With or without SIG, as `kill -l` has it. The two that no process can answer are none of these.
 */
/* No request to end: KILL and STOP, and those that the kernel sends to a program with a fault. */
static bool is_request(int number)
{
	static const int others[] = { SIGKILL, SIGSTOP, SIGSEGV, SIGBUS,  SIGFPE,
				      SIGILL,  SIGTRAP, SIGSYS,  SIGXCPU, SIGXFSZ };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (number == others[i])
			return false;
	return true;
}

static enum status to_signal(const struct setting *setting, const char *text, int64_t *number)
{
	(void)setting;
	const char *name = strncmp(text, "SIG", 3) == 0 ? text + 3 : text;
	for (int i = 1; i < NSIG; i++) {
		const char *known = sigabbrev_np(i);
		if (!known || strcmp(known, name) != 0 || !is_request(i))
			continue;
		*number = i;
		return STATUS_OK;
	}
	return STATUS_INVALID;
}

static const char *from_bool(struct arena *arena, const struct setting *setting, int64_t number)
{
	(void)arena;
	(void)setting;
	return number ? "true" : "false";
}

static const char *from_number(struct arena *arena, const struct setting *setting, int64_t number)
{
	(void)setting;
	return arena_printf(arena, "%lld", (long long)number);
}

static const char *from_duration(struct arena *arena, const struct setting *setting, int64_t number)
{
	(void)setting;
	return value_duration(arena, number);
}

static const char *from_seconds(struct arena *arena, const struct setting *setting, int64_t number)
{
	return from_duration(arena, setting, number * CLOCK_SECOND);
}

static const char *from_size(struct arena *arena, const struct setting *setting, int64_t number)
{
	static const char letters[] = "\0KMGT";
	size_t power = 0;
	while (number && number % 1024 == 0 && power + 2 < sizeof(letters)) {
		number /= 1024;
		power++;
	}
	return arena_printf(arena, "%s%.1s", from_number(arena, setting, number), letters + power);
}

static const char *from_signal(struct arena *arena, const struct setting *setting, int64_t number)
{
	(void)arena;
	(void)setting;
	return sigabbrev_np((int)number);
}

static const char *from_choice(struct arena *arena, const struct setting *setting, int64_t number)
{
	(void)arena;
	return setting->choices[number];
}

enum width { WIDTH_BOOL, WIDTH_INT, WIDTH_LONG };

struct kind {
	enum status (*to)(const struct setting *, const char *, int64_t *);
	const char *(*from)(struct arena *, const struct setting *, int64_t);
	enum width width;
	bool (*read)(const struct value_context *, const struct setting *, const struct node *);
	const char *(*show)(struct arena *, const struct setting *, const char *field);
};

static bool read_scalar(const struct value_context *, const struct setting *, const struct node *);
static const char *show_scalar(struct arena *, const struct setting *, const char *field);

/* Groups and what is not read have no row. */
static const struct kind kinds[SETTING_REFUSED + 1] = {
	[SETTING_BOOL] = { to_bool, from_bool, WIDTH_BOOL, read_scalar, show_scalar },
	[SETTING_NUMBER] = { to_number, from_number, WIDTH_INT, read_scalar, show_scalar },
	[SETTING_COUNT] = { to_number, from_number, WIDTH_LONG, read_scalar, show_scalar },
	[SETTING_DURATION] = { to_duration, from_duration, WIDTH_LONG, read_scalar, show_scalar },
	[SETTING_SECONDS] = { to_seconds, from_seconds, WIDTH_LONG, read_scalar, show_scalar },
	[SETTING_SIZE] = { to_size, from_size, WIDTH_LONG, read_scalar, show_scalar },
	[SETTING_SIGNAL] = { to_signal, from_signal, WIDTH_INT, read_scalar, show_scalar },
	[SETTING_CHOICE] = { to_choice, from_choice, WIDTH_INT, read_scalar, show_scalar },
	[SETTING_TEXT] = { .read = value_read_text, .show = value_show_text },
	[SETTING_URL] = { .read = value_read_text, .show = value_show_url },
	[SETTING_ZONE] = { .read = value_read_zone, .show = value_show_text },
	[SETTING_QUEUES] = { .read = value_read_queues, .show = value_show_queues },
	[SETTING_COMMAND] = { .read = value_read_command, .show = value_show_command },
	[SETTING_ARGUMENTS] = { .read = value_read_arguments, .show = value_show_text },
	[SETTING_ENVIRONMENT] = { .read = value_read_environment, .show = value_show_environment },
	[SETTING_PATTERNS] = { .read = value_read_patterns, .show = value_show_patterns },
	[SETTING_SHARE] = { .read = value_read_share, .show = value_show_share },
	[SETTING_EXITS] = { .read = value_read_exits, .show = value_show_exits },
	[SETTING_WAIT] = { .read = value_read_wait, .show = value_show_wait },
};

static void store(const struct kind *kind, char *field, int64_t number)
{
	int narrow = (int)number;
	bool truth = number != 0;
	if (kind->width == WIDTH_BOOL)
		memcpy(field, &truth, sizeof(truth));
	else if (kind->width == WIDTH_INT)
		memcpy(field, &narrow, sizeof(narrow));
	else
		memcpy(field, &number, sizeof(number));
}

static int64_t load(const struct kind *kind, const char *field)
{
	int64_t number = 0;
	int narrow = 0;
	bool truth = false;
	if (kind->width == WIDTH_LONG) {
		memcpy(&number, field, sizeof(number));
		return number;
	}
	if (kind->width == WIDTH_BOOL) {
		memcpy(&truth, field, sizeof(truth));
		return truth;
	}
	memcpy(&narrow, field, sizeof(narrow));
	return narrow;
}

static const char *show_scalar(struct arena *arena, const struct setting *setting,
			       const char *field)
{
	const struct kind *kind = &kinds[setting->type];
	int64_t number = load(kind, field);
	/* If there is no default, -1 stands for it. */
	if (number == -1 && !setting->initial)
		return "inherited";
	return kind->from(arena, setting, number);
}

static bool in_range(const struct setting *setting, int64_t number)
{
	const struct kind *kind = &kinds[setting->type];
	int64_t minimum = INT64_MIN;
	int64_t maximum = INT64_MAX;
	bool known =
		!setting->minimum || kind->to(setting, setting->minimum, &minimum) == STATUS_OK;
	known &= !setting->maximum || kind->to(setting, setting->maximum, &maximum) == STATUS_OK;
	assert(known);
	return known && number >= minimum && number <= maximum;
}

static bool read_scalar(const struct value_context *context, const struct setting *setting,
			const struct node *node)
{
	int64_t number = 0;
	const struct kind *kind = &kinds[setting->type];
	if (!value_has_text(context, node))
		return false;
	if (node->kind != NODE_SCALAR || value_leads_with_zero(node) ||
	    kind->to(setting, node->text, &number) != STATUS_OK || !in_range(setting, number))
		return value_mistake(context, setting, node);
	store(kind, context->base + setting->offset, number);
	return true;
}

bool setting_read(const struct value_context *context, const struct setting *setting,
		  const struct node *node)
{
	return kinds[setting->type].read(context, setting, node);
}

void setting_default(struct arena *arena, const struct setting *setting, char *base)
{
	const struct kind *kind = &kinds[setting->type];
	if (!setting->initial) {
		if (kind->to)
			store(kind, base + setting->offset, -1);
		return;
	}
	struct node node = { .kind = NODE_SCALAR, .text = setting->initial };
	struct value_context context = { arena, report_new(arena), setting->key, base };
	bool valid = kind->read(&context, setting, &node);
	assert(valid);
	(void)valid;
}

const char *setting_show(struct arena *arena, const struct setting *setting, const char *base)
{
	const struct kind *kind = &kinds[setting->type];
	return kind->show ? kind->show(arena, setting, base + setting->offset) : NULL;
}
