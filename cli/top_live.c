#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/top.h"
#include "cli/top_screen.h"
#include "common/clock.h"
#include "common/process.h"

#define TITLES (TOP_HEADER + 1)
#define LISTED (TITLES + 1) /* the first row of the list */
#define LOOKS  10           /* a look takes at most one part of so many of the time */

#define QUEUES_HELP                                                                                \
	"q quit  p pause/resume  r retry failed  j jobs  Tab processes  <> sort  i invert"

static size_t page_rows(const struct top *top)
{
	if (top->page == TOP_JOBS)
		return top->job_count;
	return top->page == TOP_QUEUES ? top->stats.survey.count : top->stats.survey.servers.count;
}

/* How many rows of the list there is room for. */
static size_t room(void)
{
	int rows = screen_rows() - LISTED - 1;

	return rows > 0 ? (size_t)rows : 0;
}

const struct survey_queue *top_selected(const struct top *top)
{
	const struct survey *survey = &top->stats.survey;

	for (size_t i = 0; i < survey->count && top->queue; i++)
		if (strcmp(survey->queues[i].row.name, top->queue) == 0)
			return &survey->queues[i];
	return NULL;
}

/* The selection stays with its queue wherever that goes, and on the screen. */
static void follow(struct top *top)
{
	const struct survey_queue *queue = top_selected(top);
	size_t rows = page_rows(top);

	if (top->page == TOP_QUEUES && queue)
		top->row = (size_t)(queue - top->stats.survey.queues);
	if (top->row >= rows)
		top->row = rows > 0 ? rows - 1 : 0;
	if (top->first > top->row)
		top->first = top->row;
	if (room() > 0 && top->row >= top->first + room())
		top->first = top->row - room() + 1;
}

/* The queue in the selected row is the selected one. */
static void choose(struct top *top)
{
	const struct survey *survey = &top->stats.survey;

	if (top->page != TOP_QUEUES || top->row >= survey->count)
		return;
	free(top->queue);
	top->queue = strdup(survey->queues[top->row].row.name);
	if (!top->queue)
		out_of_memory();
}

/* Drawing */

static void draw_table(const struct top *top, struct arena *arena)
{
	const struct survey *survey = &top->stats.survey;
	struct top_table table;

	if (top->page == TOP_JOBS)
		top_jobs(arena, top->jobs, top->job_count, survey->now, &table);
	else if (top->page == TOP_QUEUES)
		top_queues(arena, survey, top->sort, &table);
	else
		top_processes(arena, survey, &table);
	screen_put(TITLES, top_titles(&table), SCREEN_BOLD);
	for (size_t i = 0; i < room() && top->first + i < table.rows; i++)
		screen_put(LISTED + (int)i, top_row(&table, top->first + i),
			   top->first + i == top->row ? SCREEN_REVERSE : SCREEN_PLAIN);
}

static void draw(const struct top *top)
{
	static const char *const help[] = {
		[TOP_QUEUES] = QUEUES_HELP,
		[TOP_PROCESSES] = "q quit  Tab queues",
		[TOP_JOBS] = "q quit  Esc queues",
	};
	struct arena *arena = arena_new();
	const char *lines[TOP_HEADER];
	size_t count = top_header(arena, &top->stats, lines);

	screen_clear();
	for (size_t i = 0; i < count; i++)
		screen_put((int)i, lines[i], SCREEN_PLAIN);
	screen_put(TOP_HEADER, top->message, SCREEN_BOLD);
	draw_table(top, arena);
	if (top->question != TOP_NOTHING)
		screen_put(screen_rows() - 1, top_prompt(top, arena), SCREEN_REVERSE);
	else
		screen_put(screen_rows() - 1, help[top->page], SCREEN_BOLD);
	screen_show();
	arena_free(arena);
}

/* Keys */

static void move(struct top *top, int key)
{
	size_t page = room() > 1 ? room() - 1 : 1;
	size_t last = page_rows(top) > 0 ? page_rows(top) - 1 : 0;

	if (key == SCREEN_UP && top->row > 0)
		top->row--;
	else if (key == SCREEN_DOWN)
		top->row++;
	else if (key == SCREEN_PAGE_UP)
		top->row = top->row > page ? top->row - page : 0;
	else if (key == SCREEN_PAGE_DOWN)
		top->row += page;
	else if (key == SCREEN_HOME)
		top->row = 0;
	else if (key == SCREEN_END)
		top->row = last;
	if (top->row > last)
		top->row = last;
	choose(top);
}

static void set_sort(struct top *top, int key)
{
	unsigned by = key == '<' || key == SCREEN_LEFT ? TOP_SORTS - 1 : 1;

	if (key == 'i')
		top->reverse = !top->reverse;
	else
		top->sort = (enum top_sort)(((unsigned)top->sort + by) % TOP_SORTS);
	top_order(&top->stats.survey, top->sort, top->reverse);
}

static void turn(struct top *top, enum top_page page)
{
	top->page = page;
	top->row = 0;
	top->first = 0;
	screen_redraw();
}

/* What a key does beside moving; true when it takes another look. */
static bool press(struct top *top, int key)
{
	bool queues = top->page == TOP_QUEUES;

	if (queues &&
	    (key == '<' || key == '>' || key == 'i' || key == SCREEN_LEFT || key == SCREEN_RIGHT))
		set_sort(top, key);
	else if (queues && (key == 'p' || key == 'r'))
		top_ask(top, key);
	else if (queues && key == 'j' && top_selected(top))
		turn(top, TOP_JOBS);
	else if (key == '\t' && top->page != TOP_JOBS)
		turn(top, queues ? TOP_PROCESSES : TOP_QUEUES);
	else if (key == SCREEN_ESCAPE)
		turn(top, TOP_QUEUES);
	else
		move(top, key);
	return key == ' ' || key == 'j';
}

/* Looks, and says so when it cannot; how long until the next look. */
static int64_t look(struct top *top)
{
	int64_t begin = clock_monotonic();
	struct error error = { 0 };
	enum status status = top_look(top, &error);
	int64_t took = clock_monotonic() - begin;

	if (status != STATUS_OK)
		(void)snprintf(top->message, sizeof(top->message), "the database is away: %s",
			       error.text);
	else if (strncmp(top->message, "the database is away", 20) == 0)
		(void)snprintf(top->message, sizeof(top->message), "the database is back");
	return took * LOOKS > top->interval ? took * LOOKS : top->interval;
}

/* One key or the end of the time; true when the next look is due at once. */
static bool step(struct top *top, int key)
{
	bool asked = top->question != TOP_NOTHING;

	if (key == SCREEN_NONE || key == SCREEN_RESIZED)
		return false;
	if (!asked)
		return press(top, key);
	top_answer(top, key);
	return top->question == TOP_NOTHING;
}

static void run(struct top *top)
{
	int64_t due = clock_monotonic() + top->interval;
	int key = SCREEN_NONE;

	choose(top);
	while (key != SCREEN_INTERRUPT && key != SCREEN_HANGUP &&
	       (key != 'q' || top->question != TOP_NOTHING)) {
		if (step(top, key) || clock_monotonic() >= due)
			due = look(top) + clock_monotonic();
		follow(top);
		if (!top->queue)
			choose(top);
		draw(top);
		key = screen_key(due - clock_monotonic());
	}
}

int top_live(struct top *top)
{
	struct error error = { 0 };

	if (screen_open(&error) != STATUS_OK)
		return cli_fail(&error);
	run(top);
	screen_close();
	free(top->queue);
	return EXIT_STOPPED;
}
