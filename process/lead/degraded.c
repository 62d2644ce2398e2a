#include "process/lead/degraded.h"

#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/text.h"

#define SUBJECT_MOST 40

/* What is dead, and then what began first. */
static const struct kept *find_worst(const struct kept_list *kept, size_t *count)
{
	const struct kept *worst = NULL;

	for (size_t i = 0; i < kept->count; i++) {
		const struct kept *one = &kept->list[i];
		if (one->ended_at != 0)
			continue;
		(*count)++;
		if (!worst || (one->dead && !worst->dead))
			worst = one;
	}
	return worst;
}

/* In its largest unit, so that it seldom changes. */
static void say_age(int64_t age, char text[CLOCK_TEXT_SIZE])
{
	const int64_t unit = age >= CLOCK_HOUR ? CLOCK_HOUR : CLOCK_MINUTE;

	clock_span(age < CLOCK_MINUTE ? clock_whole(age < 0 ? 0 : age) : age - age % unit, text);
}

/* "queue_late" and "mail" are "queue mail late". */
void degraded_text(struct arena *arena, const struct kept_list *kept, int64_t now,
		   char text[DEGRADED_SIZE])
{
	size_t count = 0;
	const struct kept *worst = find_worst(kept, &count);
	char words[2][32] = { "", "" };
	char age[CLOCK_TEXT_SIZE];
	char more[24] = "";

	text[0] = '\0';
	if (!worst)
		return;
	const char *name = text_plain(arena, worst->name, strlen(worst->name));
	const char *subject =
		text_plain(arena, worst->subject, strnlen(worst->subject, SUBJECT_MOST));
	(void)sscanf(name, "%31[^_]_%31s", words[0], words[1]);
	for (char *at = words[1]; (at = strchr(at, '_'));)
		*at = ' ';
	say_age(now - (worst->since != 0 ? worst->since : worst->began_at), age);
	if (count > 1)
		(void)snprintf(more, sizeof(more), " +%zu", count - 1);
	(void)snprintf(text, DEGRADED_SIZE, "degraded: %s %s%s%s %s%s", words[0], subject,
		       *subject ? " " : "", words[1], age, more);
}
