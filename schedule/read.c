/* What a text is: a cron expression or a phrase. */
#include <string.h>

#include "schedule/reading.h"

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Fields of minutes and hours have no letters, and phrases begin with little else. */
static bool is_cron(const struct reading *reading)
{
	const char *at = reading->text + strspn(reading->text, " \t\r\n");
	if (*at == '@')
		return true;
	for (int chunk = 0; chunk < 2; chunk++) {
		size_t length = strspn(at, "0123456789*/,~-?");
		bool blank = at[length] == '\0' || is_blank(at[length]);
		if (!blank || (length == 0 && chunk == 0))
			return false;
		at += length;
		at += strspn(at, " \t\r\n");
	}
	return true;
}

static bool check_text(struct reading *reading)
{
	struct part whole = { 0, reading->length };
	if (reading->length > SCHEDULE_TEXT_MAXIMUM)
		return reading_fail(reading, whole, "a schedule has at most %d bytes, not %zu",
				    SCHEDULE_TEXT_MAXIMUM, reading->length);
	if (strspn(reading->text, " \t\r\n") == reading->length)
		return reading_fail(reading, whole, "a schedule is missing");
	return true;
}

bool reading_run(struct reading *reading)
{
	if (!check_text(reading))
		return false;
	return is_cron(reading) ? cron_read(reading) : phrase_read(reading);
}
