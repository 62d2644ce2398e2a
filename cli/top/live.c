/*
 * dray top on a full screen: draws, waits for a key or for the next refresh, and does what the key
 * asks for. Only pausing, resuming and retrying change anything, and top asks before. A refresh
 * that takes long makes the next ones rarer, so that looking is never the load; one that fails
 * leaves the last figures on the screen and says so.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/audit.h"
#include "cli/jobs/filter.h"
#include "cli/output/cells.h"
#include "cli/output/table.h"
#include "cli/top/screen.h"
#include "cli/top/top.h"
#include "common/clock.h"
#include "common/process.h"
#include "queue/manage/manage.h"
#include "queue/pauses/pause.h"

#define TITLES (TOP_HEADER + 1)
#define LISTED (TITLES + 1) /* the first row of the list */
#define LOOKS  10           /* refreshes take at most one part in this many of the time */

#define QUEUES_HELP "q quit  ? keys  f failed  j jobs  p pause  r retry  Tab processes  <> sort"

/* Actions of keys, and the question before each */

/* Handles a key that asks for an action (p, r). */
static void ask(struct top *top, int key)
{
	const struct survey_queue *queue = top_selected(top);

	top->answer[0] = '\0';
	if (!queue)
		(void)snprintf(top->message, sizeof(top->message), "no queue is selected");
	else if (key == 'r' && queue->row.counts[JOB_FAILED] == 0)
		(void)snprintf(top->message, sizeof(top->message), "nothing has failed in %s",
			       queue->row.name);
	else if (key == 'r')
		top->question = TOP_RETRY;
	else
		top->question = queue->row.paused ? TOP_RESUME : TOP_PAUSE;
}

/* The question and the answer typed so far; in the arena. */
static const char *prompt(const struct top *top, struct arena *arena)
{
	const struct survey_queue *queue = top_selected(top);
	const char *name = queue ? cell_clean(arena, queue->row.name) : "";

	if (top->question == TOP_PAUSE)
		return arena_printf(arena, "Pause %s? (Enter: yes, Esc: no) Reason: %s", name,
				    top->answer);
	if (top->question == TOP_RESUME)
		return arena_printf(arena, "Resume %s? (y/n)", name);
	return arena_printf(arena, "Retry all failed jobs of %s? (y/n)", name);
}

static void pause_or_resume(struct top *top, const char *queue, bool pause)
{
	struct error error = { 0 };
	struct pause_note note;
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
	bool changed = false;
	enum status status;

	pause_note_init(&note, who, host);
	note.reason = *top->answer ? top->answer : NULL;
	if (pause)
		status = pause_queues(top->cli->db, &queue, 1, &note, &changed, &error);
	else
		status = resume_queues(top->cli->db, &queue, 1, &note, &changed, &error);
	if (status != STATUS_OK)
		(void)snprintf(top->message, sizeof(top->message), "%s", error.text);
	else
		(void)snprintf(top->message, sizeof(top->message), "%s %s", queue,
			       pause ? "paused" : "resumed");
}

static void retry(struct top *top, const char *queue)
{
	const struct job_filter filter = { .has_state = true, .state = JOB_FAILED, .queue = queue };
	struct arena *arena = arena_new();
	struct error error = { 0 };
	int64_t count = 0;
	struct record record = { .action = "retry",
				 .target = filter_text(arena, &filter, "failed") };
	enum status status = record_begin(top->cli, &record, &error);

	if (status == STATUS_OK) {
		status = job_retry_all(top->cli->db, &filter, &count, &error);
		record_end(top->cli, record.id, count, status == STATUS_OK);
	}
	if (status != STATUS_OK)
		(void)snprintf(top->message, sizeof(top->message), "%s", error.text);
	else
		(void)snprintf(top->message, sizeof(top->message), "retried %" PRId64 " of %s",
			       count, queue);
	arena_free(arena);
}

static void act(struct top *top)
{
	const struct survey_queue *queue = top_selected(top);

	if (queue && top->question == TOP_RETRY)
		retry(top, queue->row.name);
	else if (queue)
		pause_or_resume(top, queue->row.name, top->question == TOP_PAUSE);
	top->question = TOP_NOTHING;
}

/* Adds a byte to the reason; UTF-8 characters arrive byte by byte. */
static void type_reason(struct top *top, int key)
{
	size_t length = strlen(top->answer);

	if (key == SCREEN_BACKSPACE) {
		while (length > 0 && ((unsigned char)top->answer[length - 1] & 0xc0) == 0x80)
			length--;
		top->answer[length > 0 ? length - 1 : 0] = '\0';
	} else if (key >= ' ' && key < 0x100 && length + 1 < sizeof(top->answer)) {
		top->answer[length] = (char)key;
		top->answer[length + 1] = '\0';
	}
}

/* Handles a key of the answer to a question. */
static void answer_key(struct top *top, int key)
{
	bool typing = top->question == TOP_PAUSE;

	if (key == SCREEN_NONE || key == SCREEN_RESIZED)
		return;
	if (key == SCREEN_ESCAPE || (!typing && key != 'y'))
		top->question = TOP_NOTHING;
	else if (!typing || key == SCREEN_ENTER)
		act(top);
	else
		type_reason(top, key);
}

/* The page, and the selected row */

static size_t page_rows(const struct top *top)
{
	if (top->page == TOP_KEYS)
		return 0;
	if (top->page == TOP_JOBS || top->page == TOP_FAILURES)
		return top->job_count;
	return top->page == TOP_QUEUES ? top->stats.survey.count : top->stats.survey.servers.count;
}

/* The number of rows of the list that fit on the screen. */
static size_t room(void)
{
	int rows = screen_rows() - LISTED - 1;

	return rows > 0 ? (size_t)rows : 0;
}

/* The selection follows its queue to its new row, and stays on the screen. */
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

/* Makes the queue in the selected row the selected queue. */
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

static void draw_row(const struct top_table *table, size_t row, int line, enum screen_style style)
{
	screen_put(line, top_row(table, row), style);
	for (size_t i = 0; i < table->columns; i++)
		if (table->bad[row * table->columns + i])
			screen_redden(line, top_column(table, i), table->widths[i], style);
}

static void draw_keys(void)
{
	static const char *const lines[] = {
		"Up, Down, Page Up, Page Down, Home, End   select a row",
		"<, > or Left, Right                       sort by another column",
		"i                                         reverse the order",
		"p                                         pause the queue, or resume it",
		"r                                         retry the queue's failed jobs",
		"j                                         the queue's newest jobs",
		"f                                         the newest failed jobs of all queues",
		"Tab                                       processes, and back",
		"Space                                     refresh at once",
		"Esc                                       back to the queues",
		"q or Ctrl-C                               quit",
	};

	screen_put(TITLES, "KEY                                       WHAT IT DOES", SCREEN_BOLD);
	for (size_t i = 0; i < room() && i < sizeof(lines) / sizeof(lines[0]); i++)
		screen_put(LISTED + (int)i, lines[i], SCREEN_PLAIN);
}

static void draw_table(const struct top *top, struct arena *arena)
{
	const struct survey *survey = &top->stats.survey;
	struct top_table table;

	if (top->page == TOP_FAILURES)
		top_failures(arena, top->jobs, top->job_count, survey->now, &table);
	else if (top->page == TOP_JOBS)
		top_jobs(arena, top->jobs, top->job_count, survey->now, &table);
	else if (top->page == TOP_QUEUES)
		top_queues(arena, survey, top->sort, &table);
	else
		top_processes(arena, survey, &table);
	screen_put(TITLES, top_titles(&table), SCREEN_BOLD);
	for (size_t i = 0; i < room() && top->first + i < table.rows; i++)
		draw_row(&table, top->first + i, LISTED + (int)i,
			 top->first + i == top->row ? SCREEN_REVERSE : SCREEN_PLAIN);
}

/* Makes the part after the last comma red: "2 failed", "1 unserved". */
static void redden_last(int row, const char *line)
{
	const char *comma = strrchr(line, ',');
	size_t from = comma ? (size_t)(comma - line) + 2 : 0;

	screen_redden(row, from, strlen(line) - from, SCREEN_PLAIN);
}

static void draw(const struct top *top)
{
	static const char *const help[] = {
		[TOP_QUEUES] = QUEUES_HELP,        [TOP_PROCESSES] = "q quit  Tab queues",
		[TOP_JOBS] = "q quit  Esc queues", [TOP_FAILURES] = "q quit  Esc queues",
		[TOP_KEYS] = "q quit  Esc queues",
	};
	struct arena *arena = arena_new();
	const char *lines[TOP_HEADER];
	size_t count = top_header(arena, &top->stats, lines);

	screen_clear();
	for (size_t i = 0; i < count; i++)
		screen_put((int)i, lines[i], SCREEN_PLAIN);
	if (top->stats.counts[JOB_FAILED] > 0)
		redden_last(1, lines[1]);
	if (top->stats.unserved > 0)
		redden_last(0, lines[0]);
	screen_put(TOP_HEADER, top->message, SCREEN_BOLD);
	if (top->page == TOP_KEYS)
		draw_keys();
	else
		draw_table(top, arena);
	if (top->question != TOP_NOTHING)
		screen_put(screen_rows() - 1, prompt(top, arena), SCREEN_REVERSE);
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

static bool is_sorting(int key)
{
	return key == '<' || key == '>' || key == 'i' || key == SCREEN_LEFT || key == SCREEN_RIGHT;
}

/* Handles the keys of the page of queues. */
static bool press_on_queues(struct top *top, int key)
{
	if (is_sorting(key))
		set_sort(top, key);
	else if (key == 'p' || key == 'r')
		ask(top, key);
	else if (key == 'j' && top_selected(top))
		turn(top, TOP_JOBS);
	else if (key == 'f')
		turn(top, TOP_FAILURES);
	else if (key == '\t')
		turn(top, TOP_PROCESSES);
	else
		return false;
	return true;
}

/* Handles the keys that do not move the selection; true if a refresh is needed. */
static bool press(struct top *top, int key)
{
	bool looks = key == ' ' || key == 'j' || key == 'f';

	if (top->page == TOP_QUEUES && press_on_queues(top, key))
		return looks;
	if (key == '?')
		turn(top, top->page == TOP_KEYS ? TOP_QUEUES : TOP_KEYS);
	else if (key == SCREEN_ESCAPE || (key == '\t' && top->page == TOP_PROCESSES))
		turn(top, TOP_QUEUES);
	else
		move(top, key);
	return looks;
}

/* Refreshes, and reports a failure. Returns the time until the next refresh. */
static int64_t look(struct top *top)
{
	int64_t begin = clock_monotonic();
	struct error error = { 0 };
	enum status status = top_look(top, &error);
	int64_t took = clock_monotonic() - begin;

	if (status != STATUS_OK)
		(void)snprintf(top->message, sizeof(top->message),
			       "the database cannot be reached: %s", error.text);
	else if (top->away)
		(void)snprintf(top->message, sizeof(top->message),
			       "the database can be reached again");
	top->away = status != STATUS_OK;
	return took * LOOKS > top->interval ? took * LOOKS : top->interval;
}

/* Handles a key or the end of the wait; true if the next refresh is due at once. */
static bool step(struct top *top, int key)
{
	bool asked = top->question != TOP_NOTHING;

	if (key == SCREEN_NONE || key == SCREEN_RESIZED)
		return false;
	if (!asked)
		return press(top, key);
	answer_key(top, key);
	return top->question == TOP_NOTHING;
}

static void run_screen(struct top *top)
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

	if (screen_open(color_wanted(top->cli, true), &error) != STATUS_OK)
		return cli_fail(&error);
	run_screen(top);
	screen_close();
	free(top->queue);
	return EXIT_STOPPED;
}
