#include "schedule/reading.h"

#include <string.h>

/* Where an offset is for a person: bytes that go on with a character do not count. */
static void set_place(const struct reading *reading, struct schedule_note *note)
{
	note->line = 1;
	note->column = 1;
	for (size_t i = 0; i < note->offset; i++) {
		unsigned char byte = (unsigned char)reading->text[i];
		if (byte == '\n') {
			note->line++;
			note->column = 1;
		} else if ((byte & 0xc0) != 0x80) {
			note->column++;
		}
	}
}

static struct schedule_note make_note(const struct reading *reading, struct part part,
				      const char *suggestion, const char *text)
{
	struct schedule_note note = {
		.offset = part.offset < reading->length ? part.offset : reading->length,
		.length = part.length,
		.text = text,
		.suggestion = suggestion,
	};
	if (note.length > reading->length - note.offset)
		note.length = reading->length - note.offset;
	set_place(reading, &note);
	return note;
}

static bool fail(struct reading *reading, struct part part, const char *suggestion,
		 const char *text)
{
	if (!reading->failed)
		reading->fault = make_note(reading, part, suggestion, text);
	reading->failed = true;
	return false;
}

bool reading_fail(struct reading *reading, struct part part, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *text = arena_vprintf(reading->arena, format, args);
	va_end(args);
	return fail(reading, part, NULL, text);
}

bool reading_fail_with(struct reading *reading, struct part part, const char *suggestion,
		       const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *text = arena_vprintf(reading->arena, format, args);
	va_end(args);
	return fail(reading, part, suggestion, text);
}

bool reading_warn(struct reading *reading, struct part part, const char *suggestion,
		  const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *text = arena_vprintf(reading->arena, format, args);
	va_end(args);
	if (reading->request->strict)
		return fail(reading, part, suggestion, text);
	if (reading->warning_count < READING_WARNINGS)
		reading->warnings[reading->warning_count++] =
			make_note(reading, part, suggestion, text);
	return true;
}

bool reading_extension(struct reading *reading, struct part part, const char *what)
{
	if (!reading->request->compatible)
		return true;
	return reading_fail(reading, part, "%s: an extension that Solid Queue does not know", what);
}

bool reading_zone(struct reading *reading, struct part part)
{
	struct error error = { 0 };
	const char *name = reading_copy(reading, part);
	if (reading->zone)
		return reading_fail(reading, part, "a second time zone");
	struct error *told = reading->quiet ? NULL : &error;
	if ((*name == '+' || *name == '-') && part.length < sizeof("+0900") - 1 &&
	    !reading_extension(reading, part, "an offset without minutes"))
		return false;
	if (zones_find(reading->request->zones, name, &reading->zone, told) == STATUS_OK)
		return true;
	return reading_fail(reading, part, "%s", error.text);
}

const char *reading_copy(const struct reading *reading, struct part part)
{
	return arena_strndup(reading->arena, reading->text + part.offset, part.length);
}

const char *reading_quote(const struct reading *reading, struct part part)
{
	return text_plain(reading->arena, reading->text + part.offset, part.length);
}

const char *reading_replaced(const struct reading *reading, struct part part, const char *by)
{
	return arena_printf(reading->arena, "%.*s%s%s", (int)part.offset, reading->text, by,
			    reading->text + part.offset + part.length);
}
