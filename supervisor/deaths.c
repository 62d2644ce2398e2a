#include "supervisor/deaths.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/process.h"
#include "process/care.h"

#define HOLD (2 * CLOCK_SECOND)

struct open_death {
	struct open_death *next;
	unsigned lane;
	bool told;
	int64_t holds_until; /* its lane; clock_monotonic */
	struct death death;
};

void deaths_init(struct deaths *deaths)
{
	*deaths = (struct deaths){ .pipe = { -1, -1 } };
}

enum status deaths_open(struct deaths *deaths, struct error *error)
{
	return process_pipe(deaths->pipe, true, error);
}

static void drop(struct open_death **link)
{
	struct open_death *death = *link;

	*link = death->next;
	free(death);
}

void deaths_close(struct deaths *deaths)
{
	while (deaths->list)
		drop(&deaths->list);
	for (int i = 0; i < 2; i++)
		if (deaths->pipe[i] >= 0)
			(void)close(deaths->pipe[i]);
	deaths_init(deaths);
}

void deaths_add(struct deaths *deaths, unsigned lane, const char *name, int pid, int status)
{
	struct open_death **last = &deaths->list;
	struct open_death *death = calloc(1, sizeof(*death));

	if (!death)
		out_of_memory();
	*death = (struct open_death){
		.lane = lane,
		.holds_until = clock_monotonic() + HOLD,
		.death = { .number = deaths->count++, .pid = pid, .status = status },
	};
	(void)snprintf(death->death.name, sizeof(death->death.name), "%s", name);
	while (*last)
		last = &(*last)->next;
	*last = death;
}

bool deaths_tell(struct deaths *deaths)
{
	bool told = false;

	for (struct open_death *death = deaths->list; death; death = death->next) {
		if (death->told)
			continue;
		if (!death_send(deaths->pipe[1], &death->death))
			break;
		told = death->told = true;
	}
	return told;
}

void deaths_begin(struct deaths *deaths)
{
	struct death unread;

	while (read(deaths->pipe[0], &unread, sizeof(unread)) > 0)
		;
	for (struct open_death *death = deaths->list; death; death = death->next)
		death->told = false;
}

void deaths_end(struct deaths *deaths, unsigned number)
{
	for (struct open_death **link = &deaths->list; *link; link = &(*link)->next)
		if ((*link)->death.number == number) {
			drop(link);
			return;
		}
}

size_t deaths_open_count(const struct deaths *deaths)
{
	size_t count = 0;

	for (const struct open_death *death = deaths->list; death; death = death->next)
		count++;
	return count;
}

bool deaths_hold(const struct deaths *deaths, unsigned lane)
{
	const int64_t now = clock_monotonic();

	for (const struct open_death *death = deaths->list; death; death = death->next)
		if (death->lane == lane && now < death->holds_until)
			return true;
	return false;
}

int64_t deaths_due(const struct deaths *deaths)
{
	const int64_t now = clock_monotonic();

	for (const struct open_death *death = deaths->list; death; death = death->next)
		if (now < death->holds_until)
			return death->holds_until;
	return CLOCK_NEVER;
}
