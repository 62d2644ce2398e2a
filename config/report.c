#include "config/report.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	struct place place;
	const char *text;
	size_t order;
	unsigned file;
	unsigned scope;
	bool warning;
};

struct report {
	struct arena *arena;
	struct entry *entries;
	size_t count;
	unsigned file;
	unsigned scope;
	unsigned spoilt;
	size_t errors;
};

struct report *report_new(struct arena *arena)
{
	struct report *report = arena_alloc(arena, sizeof(*report));
	report->arena = arena;
	return report;
}

void report_file(struct report *report)
{
	report->file++;
}

unsigned report_scope(struct report *report, unsigned scope)
{
	unsigned before = report->scope;
	report->scope = scope;
	return before;
}

static void add(struct report *report, struct place place, bool warning, const char *text)
{
	report->entries = arena_extend(report->arena, report->entries, report->count,
				       sizeof(*report->entries));
	report->entries[report->count] = (struct entry){ .place = place,
							 .text = text,
							 .order = report->count,
							 .file = report->file,
							 .scope = report->scope,
							 .warning = warning };
	report->count++;
}

void report_error(struct report *report, struct place place, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add(report, place, false, arena_vprintf(report->arena, format, args));
	va_end(args);
	report->errors++;
	report->spoilt |= report->scope;
}

void report_warning(struct report *report, struct place place, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add(report, place, true, arena_vprintf(report->arena, format, args));
	va_end(args);
}

size_t report_errors(const struct report *report)
{
	return report->errors;
}

bool report_failed(const struct report *report)
{
	return report->errors > 0;
}

unsigned report_spoilt(const struct report *report)
{
	return report->spoilt;
}

static int order(size_t left, size_t right)
{
	return (left > right) - (left < right);
}

static int compare(const void *a, const void *b)
{
	const struct entry *left = a;
	const struct entry *right = b;
	int by_file = order(left->file, right->file);
	if (by_file)
		return by_file;
	int by_line = order(left->place.line, right->place.line);
	if (by_line)
		return by_line;
	int by_column = order(left->place.column, right->place.column);
	return by_column ? by_column : order(left->order, right->order);
}

/* An anchor that is read twice through aliases makes the same mistake twice; one line is enough. */
static bool repeats(const struct entry *entry, const struct entry *before)
{
	return entry->file == before->file && entry->place.line == before->place.line &&
	       entry->place.column == before->place.column &&
	       strcmp(entry->text, before->text) == 0;
}

void report_list(struct report *report, unsigned needs, struct config_problems *problems)
{
	problems->list = arena_array(report->arena, report->count, sizeof(*problems->list));
	problems->count = 0;
	if (report->count)
		qsort(report->entries, report->count, sizeof(*report->entries), compare);
	for (size_t i = 0; i < report->count; i++) {
		const struct entry *entry = &report->entries[i];
		if (i > 0 && repeats(entry, entry - 1))
			continue;
		problems->list[problems->count++] = (struct config_problem){
			.text = entry->place.line
					? arena_printf(report->arena, "%s:%u:%u: %s",
						       entry->place.file, entry->place.line,
						       entry->place.column, entry->text)
					: arena_printf(report->arena, "%s: %s", entry->place.file,
						       entry->text),
			.warning = entry->warning,
			.elsewhere = !entry->warning && (entry->scope & needs) == 0,
		};
	}
}

#define QUOTED_MAXIMUM 60

const char *quoted(struct arena *arena, const char *text)
{
	size_t length = strnlen(text, QUOTED_MAXIMUM + 1);
	bool cut = length > QUOTED_MAXIMUM;
	if (cut)
		for (length = QUOTED_MAXIMUM; length > 0 && (text[length] & 0xC0) == 0x80;)
			length--;
	char *copy = arena_strndup(arena, text, length);
	for (char *at = copy; *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7F)
			*at = '?';
	return arena_printf(arena, "\"%s%s\"", copy, cut ? "..." : "");
}
