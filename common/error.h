/*
 * What happened, in two forms: `enum status` is for control flow (what the caller must do), `struct
 * error` is for people. An error is filled once, where it happened, and prefixed on the way up. A
 * function logs an error or returns it, never both.
 */
#ifndef ERROR_H
#define ERROR_H

#include <stdarg.h>
#include <stdbool.h>

#define MUST_CHECK             __attribute__((warn_unused_result))
#define PRINTF_LIKE(at, first) __attribute__((format(printf, at, first)))

/* Named by what the caller must do. */
enum status {
	STATUS_OK,        /* go on */
	STATUS_NONE,      /* nothing to do: no such row, or the guard of the claim found nothing */
	STATUS_RETRY,     /* repeat the whole transaction: deadlock, lock timeout, busy file */
	STATUS_DOWN,      /* the database is away and nothing was committed: reconnect */
	STATUS_UNCERTAIN, /* the connection was lost at commit: look before you repeat */
	STATUS_CONFLICT,  /* a unique or foreign key, or a trigger, refused */
	STATUS_INVALID,   /* the input is wrong: report it to the person who gave it */
	STATUS_FATAL,     /* a bug, a missing table, no permission: a retry cannot help */
};

#define ERROR_TEXT_SIZE 1024

struct error {
	enum status status;
	bool answered; /* RETRY, DOWN: the server said so and goes on serving us: perhaps a row's
			  fault */
	char text[ERROR_TEXT_SIZE]; /* one line without a trailing newline; cut when too long */
};

/* Fills *error (may be NULL) and returns status, so that `return error_set(...)` reads well. */
enum status error_set(struct error *error, enum status status, const char *format, ...)
	PRINTF_LIKE(3, 4);
enum status error_set_va(struct error *error, enum status status, const char *format, va_list args)
	PRINTF_LIKE(3, 0);

/* The analyzer does not look into error.c, and must know that the given status is returned. */
#ifdef __clang_analyzer__
/* NOLINTNEXTLINE(readability-identifier-naming) */
#define error_set(error, status, ...) ((void)(error_set)(error, status, __VA_ARGS__), (status))
#endif

/* Puts "prefix: " before the text. Returns error->status. */
enum status error_prefix(struct error *error, const char *format, ...) PRINTF_LIKE(2, 3);

/* A lower-case word for logs and tests: "ok", "none", "retry", ... */
const char *status_name(enum status status);

#endif
