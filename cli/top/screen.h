/* A full screen of text and its keyboard, at most one. Only screen.c uses ncurses. */
#ifndef TOP_SCREEN_H
#define TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

/* Keys other than characters; a character's key is its byte. */
enum screen_key {
	SCREEN_NONE = -1, /* no key in time */
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
	SCREEN_HANGUP,    /* the terminal has hung up */
	SCREEN_OTHER
};

enum screen_style { SCREEN_PLAIN, SCREEN_BOLD, SCREEN_REVERSE };

/* Takes over the terminal. INVALID: its type is unknown. */
enum status screen_open(bool color, struct error *error) MUST_CHECK;
void screen_close(void);

int screen_rows(void);

/* Writes a whole line, cut to the width; lines below the screen are left out. */
void screen_put(int row, const char *text, enum screen_style style);

/* Marks text that is already there as bad: red, or bold without colour. */
void screen_redden(int row, size_t column, size_t length, enum screen_style style);

void screen_clear(void);
void screen_show(void);

/* Makes the next screen_show redraw everything, whatever is on the terminal. */
void screen_redraw(void);

/* Waits for a key; SCREEN_NONE after `timeout` microseconds. */
int screen_key(int64_t timeout);

#endif
