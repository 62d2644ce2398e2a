/* A full screen of text and its keyboard: the one file that knows ncurses. There is one at most. */
#ifndef TOP_SCREEN_H
#define TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

/* Keys beside the characters, which are their bytes. */
enum screen_key {
	SCREEN_NONE = -1, /* the time is over */
	SCREEN_ENTER = 1000,
	SCREEN_ESCAPE,
	SCREEN_BACKSPACE,
	SCREEN_UP,
	SCREEN_DOWN,
	SCREEN_LEFT,
	SCREEN_RIGHT,
	SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN,
	SCREEN_HOME,
	SCREEN_END,
	SCREEN_RESIZED,
	SCREEN_INTERRUPT, /* Ctrl-C */
	SCREEN_HANGUP,    /* the terminal is gone */
	SCREEN_OTHER
};

enum screen_style { SCREEN_PLAIN, SCREEN_BOLD, SCREEN_REVERSE };

/* Takes the terminal over. INVALID: it is of a kind that nobody knows. */
enum status screen_open(bool color, struct error *error) MUST_CHECK;
void screen_close(void);

int screen_rows(void);

/* A whole line, cut to the width; lines below the screen are left out. */
void screen_put(int row, const char *text, enum screen_style style);

/* What stands there already is bad: red, or bold where there is no colour. */
void screen_redden(int row, size_t column, size_t length, enum screen_style style);

void screen_clear(void);
void screen_show(void);

/* The next screen_show draws everything anew, whatever stands on the terminal. */
void screen_redraw(void);

/* The next key, after so many microseconds SCREEN_NONE. */
int screen_key(int64_t timeout);

#endif
