/* Any text: parsers of numbers, times and URLs stay in bounds, and keep what they accept. */
#include <inttypes.h>
#include <stdio.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "tests/fuzz/fuzz.h"

static void check_duration(const char *text)
{
	int64_t value = -1;
	int64_t again = -1;
	char printed[CLOCK_TEXT_SIZE];
	if (parse_duration(text, &value) != STATUS_OK) {
		require(value == -1);
		return;
	}
	require(value >= 0 && value <= 36525 * CLOCK_DAY);
	(void)snprintf(printed, sizeof(printed), "%" PRId64 "us", value);
	require(parse_duration(printed, &again) == STATUS_OK && again == value);
	/* What people are shown is a duration again, at most as long. */
	clock_span(value, printed);
	require(parse_duration(printed, &again) == STATUS_OK && again <= value);
}

static void check_numbers(const char *text)
{
	int64_t value = 0;
	double real;
	if (parse_int(text, -1000, 1000, &value) == STATUS_OK)
		require(value >= -1000 && value <= 1000 && parse_real(text, &real) == STATUS_OK);
	if (parse_size(text, &value) == STATUS_OK)
		require(value >= 0);
	if (parse_real(text, &real) == STATUS_OK)
		require(real - real == 0.0);
}

static void check_instant(const char *text)
{
	int64_t value;
	int64_t again;
	char printed[CLOCK_TEXT_SIZE];
	if (clock_parse(text, &value) != STATUS_OK)
		return;
	clock_format(value, printed);
	require(clock_parse(printed, &again) == STATUS_OK && again == value);
	clock_format_short(value, printed);
	require(clock_parse(printed, &again) == STATUS_OK && again == value);
	clock_format_iso(value, printed);
	require(clock_parse(printed, &again) == STATUS_OK && again == value);
}

static void check_mask(const char *text, size_t room)
{
	char *out = malloc(room);
	char whole[4096];
	if (!out)
		return;
	url_mask(text, out, room);
	url_mask(text, whole, sizeof(whole));
	/* A smaller buffer only cuts. */
	require(strlen(out) < room);
	require(strncmp(out, whole, strlen(out)) == 0);
	free(out);
}

/* A URL around the text: wherever it goes wrong, the password must not come through. */
static void check_secret(const char *text)
{
	char url[4200];
	char masked[4200];
	if (strlen(text) > 2000 || (strchr(text, '?') && strchr(text, '=')))
		return;
	(void)snprintf(url, sizeof(url), "postgres://user:%ssesame@host/db", text);
	url_mask(url, masked, sizeof(masked));
	require(strstr(masked, "sesame") == NULL);
	(void)snprintf(url, sizeof(url), "postgres://host/db?password=%.*ssesame",
		       (int)strcspn(text, "&"), text);
	url_mask(url, masked, sizeof(masked));
	require(strstr(masked, "sesame") == NULL);
}

FUZZ()
{
	check_duration(text);
	check_numbers(text);
	check_instant(text);
	check_mask(text, size % 64 + 1);
	check_secret(text);
}
