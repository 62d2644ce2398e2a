#include "cli/top/screen.h"

#include <errno.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <term.h>
#include <unistd.h>

#include "cli/output/cells.h"
#include "common/clock.h"

#define ESCAPE_WAIT 50 /* milliseconds to wait for the rest of a key's sequence */
#define CONTROL_C   3

#define RED_PAIR 1

static SCREEN *screen;
static short red; /* 0 = no colour */

/* Asked first, because newterm leaks memory when it fails. */
static bool is_known_terminal(void)
{
	int result = 0;

	if (setupterm(NULL, STDOUT_FILENO, &result) != OK)
		return false;
	(void)del_curterm(cur_term);
	return true;
}

enum status screen_open(bool color, struct error *error)
{
	const char *term = getenv("TERM");

	(void)setlocale(LC_CTYPE, ""); /* NOLINT(concurrency-mt-unsafe): there is one thread */
	screen = is_known_terminal() ? newterm(NULL, stdout, stdin) : NULL;
	if (!screen)
		return error_set(
			error, STATUS_INVALID,
			"the terminal \"%s\" cannot show a full screen: use `dray top --once`",
			term ? term : "");
	red = 0;
	if (color && has_colors() && start_color() == OK && use_default_colors() == OK &&
	    init_pair(RED_PAIR, COLOR_RED, -1) == OK)
		red = RED_PAIR;
	(void)raw(); /* Ctrl-C becomes a key, so that the terminal is always restored */
	(void)noecho();
	(void)nonl();
	(void)keypad(stdscr, TRUE);
	(void)curs_set(0);
	(void)set_escdelay(ESCAPE_WAIT);
	return STATUS_OK;
}

void screen_close(void)
{
	if (!screen)
		return;
	(void)endwin();
	delscreen(screen);
	screen = NULL;
}

int screen_rows(void)
{
	return getmaxy(stdscr);
}

static const attr_t attributes[] = {
	[SCREEN_PLAIN] = A_NORMAL,
	[SCREEN_BOLD] = A_BOLD,
	[SCREEN_REVERSE] = A_REVERSE,
};

void screen_put(int row, const char *text, enum screen_style style)
{
	int width = getmaxx(stdscr);

	if (row < 0 || row >= getmaxy(stdscr) || width <= 0)
		return;
	(void)wattrset(stdscr, (int)attributes[style]);
	(void)wmove(stdscr, row, 0);
	(void)waddnstr(stdscr, text, cell_bytes(text, (size_t)width));
	if (style == SCREEN_REVERSE)
		for (int at = (int)cell_columns(text); at < width; at++)
			(void)waddch(stdscr, ' ');
	(void)wattrset(stdscr, A_NORMAL);
}

void screen_redden(int row, size_t column, size_t length, enum screen_style style)
{
	size_t width = getmaxx(stdscr) > 0 ? (size_t)getmaxx(stdscr) : 0;

	if (row < 0 || row >= getmaxy(stdscr) || column >= width || length == 0)
		return;
	if (length > width - column)
		length = width - column;
	(void)mvwchgat(stdscr, row, (int)column, (int)length, attributes[style] | A_BOLD, red,
		       NULL);
}

void screen_clear(void)
{
	(void)werase(stdscr);
}

void screen_show(void)
{
	(void)wrefresh(stdscr);
}

void screen_redraw(void)
{
	(void)clearok(stdscr, TRUE);
}

static const struct {
	int code;
	enum screen_key key;
} keys[] = {
	{ '\r', SCREEN_ENTER },
	{ '\n', SCREEN_ENTER },
	{ KEY_ENTER, SCREEN_ENTER },
	{ '\033', SCREEN_ESCAPE },
	{ '\b', SCREEN_BACKSPACE },
	{ 0x7f, SCREEN_BACKSPACE },
	{ KEY_BACKSPACE, SCREEN_BACKSPACE },
	{ KEY_UP, SCREEN_UP },
	{ KEY_DOWN, SCREEN_DOWN },
	{ KEY_LEFT, SCREEN_LEFT },
	{ KEY_RIGHT, SCREEN_RIGHT },
	{ KEY_PPAGE, SCREEN_PAGE_UP },
	{ KEY_NPAGE, SCREEN_PAGE_DOWN },
	{ KEY_HOME, SCREEN_HOME },
	{ KEY_END, SCREEN_END },
	{ KEY_RESIZE, SCREEN_RESIZED },
	{ CONTROL_C, SCREEN_INTERRUPT },
};

/* A terminal that has hung up is always readable, but has no data. */
static bool hung_up(void)
{
	struct pollfd standard = { .fd = STDIN_FILENO, .events = POLLIN };

	return poll(&standard, 1, 0) == 1 && (standard.revents & (POLLHUP | POLLERR)) != 0;
}

int screen_key(int64_t timeout)
{
	int64_t milliseconds = timeout > 0 ? (timeout + 999) / 1000 : 0;

	wtimeout(stdscr, milliseconds < INT32_MAX ? (int)milliseconds : INT32_MAX);
	int code = wgetch(stdscr);
	if (code == ERR)
		return hung_up() ? SCREEN_HANGUP : SCREEN_NONE;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].code == code)
			return keys[i].key;
	return code < KEY_MIN ? code : SCREEN_OTHER;
}
