/*
 * The words of a phrase, and what lists of any kind have in common: their members, and whether
 * another follows.
 */
#include <string.h>

#include "common/text/byte.h"
#include "schedule/phrase/phrase.h"

const struct phrase_unit_kind phrase_units[UNITS] = {
	[UNIT_NONE] = { "", 0, 0, 0, "" },
	[UNIT_SECOND] = { "second", 60, 0, 59, "minute" },
	[UNIT_MINUTE] = { "minute", 60, 0, 59, "hour" },
	[UNIT_HOUR] = { "hour", 24, 0, 23, "day" },
	[UNIT_DAY] = { "day", 0, 1, 31, "month" },
	[UNIT_WEEK] = { "week", 0, 0, 0, "" },
	[UNIT_MONTH] = { "month", 12, 1, 12, "year" },
	[UNIT_YEAR] = { "year", 0, 0, 0, "" },
};

static const char *const weekdays[] = { "sunday",   "monday", "tuesday", "wednesday",
					"thursday", "friday", "saturday" };
static const char *const ordinals[] = { "first",       "second",     "third",     "fourth",
					"fifth",       "sixth",      "seventh",   "eighth",
					"ninth",       "tenth",      "eleventh",  "twelfth",
					"thirteenth",  "fourteenth", "fifteenth", "sixteenth",
					"seventeenth", "eighteenth", "nineteenth" };
static const char *const numbers[] = { "zero",    "one",     "two",       "three",    "four",
				       "five",    "six",     "seven",     "eight",    "nine",
				       "ten",     "eleven",  "twelve",    "thirteen", "fourteen",
				       "fifteen", "sixteen", "seventeen", "eighteen", "nineteen" };
static const char *const tens[] = { "twenty", "thirty", "forty", "fifty" };
static const char *const ordinal_tens[] = { "twentieth", "thirtieth" };
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static int index_of(const char *word, const char *const list[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(word, list[i]) == 0)
			return (int)i;
	return -1;
}

static bool is_letter(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '\'';
}

/* To the next blank or comma. */
static size_t chunk_length(const char *at)
{
	return strcspn(at, " \t\r\n,");
}

/* "Europe/Madrid", "+09:00", or a capital that begins the name of a zone. */
static size_t zone_length(struct reading *reading, const char *at)
{
	int seconds;
	size_t length = 0;
	size_t chunk = chunk_length(at);
	if (zones_offset(at, &length, &seconds) && length == chunk)
		return length;
	if (*at < 'A' || *at > 'Z')
		return 0;
	if (memchr(at, '/', chunk))
		return chunk;
	const char *name = arena_strndup(reading->arena, at, chunk);
	return zones_has(reading->request->zones, name) ? chunk : 0;
}

static void lower_text(struct reading *reading, struct word *word)
{
	char *text =
		arena_strndup(reading->arena, reading->text + word->part.offset, word->part.length);
	for (char *byte = text; *byte; byte++)
		if (*byte >= 'A' && *byte <= 'Z')
			*byte = (char)(*byte - 'A' + 'a');
	word->text = text;
}

static void read_digits(struct word *word, const char *at)
{
	word->kind = WORD_NUMBER;
	for (; is_digit(at[word->part.length]); word->part.length++)
		word->number = word->number < 1000
				       ? word->number * 10 + (at[word->part.length] - '0')
				       : 9999;
}

static struct word read_word(struct reading *reading, size_t offset, bool glued)
{
	const char *at = reading->text + offset;
	struct word word = { .kind = WORD_MARK, .part = { offset, 0 }, .glued = glued };
	size_t zone = glued ? 0 : zone_length(reading, at);
	if (zone > 0) {
		word.kind = WORD_ZONE;
		word.part.length = zone;
	} else if (is_digit(*at)) {
		read_digits(&word, at);
	} else if (is_letter(*at)) {
		word.kind = WORD_NAME;
		while (is_letter(at[word.part.length]))
			word.part.length++;
	} else {
		word.part.length = 1;
		while (((unsigned char)at[word.part.length] & 0xc0) == 0x80)
			word.part.length++;
	}
	lower_text(reading, &word);
	return word;
}

struct word *phrase_words(struct reading *reading)
{
	struct word *words = arena_array(reading->arena, reading->length + 1, sizeof(*words));
	size_t count = 0;
	bool glued = false;
	for (size_t at = 0; at < reading->length;) {
		if (is_blank(reading->text[at])) {
			at++;
			glued = false;
			continue;
		}
		words[count] = read_word(reading, at, glued);
		at += words[count++].part.length;
		glued = reading->text[at - 1] != ',' && reading->text[at] != ',';
	}
	words[count] = (struct word){ .part = { reading->length, 0 }, .text = "" };
	return words;
}

const struct word *word_at(const struct phrase *phrase, size_t further)
{
	size_t at = phrase->at;
	for (; further > 0 && phrase->words[at].kind != WORD_END; further--)
		at++;
	return &phrase->words[at];
}

bool word_is(const struct phrase *phrase, size_t further, const char *text)
{
	const struct word *word = word_at(phrase, further);
	return word->kind != WORD_ZONE && strcmp(word->text, text) == 0;
}

bool word_take(struct phrase *phrase, const char *text)
{
	if (word_at(phrase, 0)->kind == WORD_END || !word_is(phrase, 0, text))
		return false;
	phrase->at++;
	return true;
}

struct part words_since(const struct phrase *phrase, size_t first)
{
	const struct part *from = &phrase->words[first].part;
	const struct part *to = &phrase->words[phrase->at > first ? phrase->at - 1 : first].part;
	return (struct part){ from->offset, to->offset + to->length - from->offset };
}

bool word_fail(struct phrase *phrase)
{
	const struct word *word = word_at(phrase, 0);
	struct part part = word->part;
	if (word->kind == WORD_END)
		return reading_fail(phrase->reading, part, "something is missing at the end");
	return reading_fail(phrase->reading, part, "\"%s\" is not understood here",
			    reading_quote(phrase->reading, part));
}

bool word_weekday(const struct phrase *phrase, size_t further, int *weekday)
{
	const struct word *word = word_at(phrase, further);
	if (word->kind != WORD_NAME)
		return false;
	for (size_t i = 0; i < COUNT(weekdays); i++)
		if (strcmp(word->text, weekdays[i]) == 0 ||
		    (strlen(word->text) == 3 && strncmp(word->text, weekdays[i], 3) == 0)) {
			*weekday = (int)i;
			return true;
		}
	return false;
}

struct unit_name {
	const char *name;
	enum phrase_unit unit;
};

/* m is a minute and M a month, which only the text as it was written tells. */
bool word_unit(const struct phrase *phrase, size_t further, enum phrase_unit *unit)
{
	static const struct unit_name names[] = {
		{ "second", UNIT_SECOND }, { "seconds", UNIT_SECOND }, { "sec", UNIT_SECOND },
		{ "s", UNIT_SECOND },      { "minute", UNIT_MINUTE },  { "minutes", UNIT_MINUTE },
		{ "min", UNIT_MINUTE },    { "m", UNIT_MINUTE },       { "hour", UNIT_HOUR },
		{ "hours", UNIT_HOUR },    { "h", UNIT_HOUR },         { "day", UNIT_DAY },
		{ "days", UNIT_DAY },      { "d", UNIT_DAY },          { "week", UNIT_WEEK },
		{ "weeks", UNIT_WEEK },    { "month", UNIT_MONTH },    { "months", UNIT_MONTH },
		{ "year", UNIT_YEAR },     { "years", UNIT_YEAR },
	};
	const struct word *word = word_at(phrase, further);
	if (word->kind != WORD_NAME)
		return false;
	for (size_t i = 0; i < COUNT(names); i++)
		if (strcmp(word->text, names[i].name) == 0) {
			bool capital = phrase->reading->text[word->part.offset] == 'M';
			*unit = capital && word->part.length == 1 ? UNIT_MONTH : names[i].unit;
			return true;
		}
	return false;
}

/* "twenty" with what may follow it, of `list` from one on; 0: not that. */
static size_t compound(const struct phrase *phrase, size_t further, const char *const list[],
		       int *number)
{
	const struct word *word = word_at(phrase, further);
	int ten = index_of(word->text, tens, COUNT(tens));
	if (ten < 0)
		return 0;
	size_t dash = word_is(phrase, further + 1, "-") ? 1 : 0;
	int one = index_of(word_at(phrase, further + 1 + dash)->text, list, 9);
	*number = ten * 10 + 20 + (one < 0 ? 0 : one + 1);
	return one < 0 ? 1 : 2 + dash;
}

size_t word_number(const struct phrase *phrase, size_t further, int *number)
{
	const struct word *word = word_at(phrase, further);
	int index = index_of(word->text, numbers, COUNT(numbers));
	if (word->kind != WORD_NAME)
		return 0;
	if (index < 0)
		return compound(phrase, further, numbers + 1, number);
	*number = index;
	return 1;
}

static size_t digit_ordinal(const struct phrase *phrase, size_t further, int *day)
{
	const struct word *word = word_at(phrase, further);
	const struct word *suffix = word_at(phrase, further + 1);
	static const char *const suffixes[] = { "st", "nd", "rd", "th" };
	if (!suffix->glued || index_of(suffix->text, suffixes, COUNT(suffixes)) < 0)
		return 0;
	*day = word->number;
	return 2;
}

/* "twenty-first"; "twenty" alone is none. */
static size_t ordinal_compound(const struct phrase *phrase, size_t further, int *day)
{
	size_t words = compound(phrase, further, ordinals, day);
	return words > 1 ? words : 0;
}

size_t word_ordinal(const struct phrase *phrase, size_t further, int *day)
{
	const struct word *word = word_at(phrase, further);
	int index = index_of(word->text, ordinals, COUNT(ordinals));
	int ten = index_of(word->text, ordinal_tens, COUNT(ordinal_tens));
	if (word->kind == WORD_NUMBER)
		return digit_ordinal(phrase, further, day);
	if (word->kind != WORD_NAME)
		return 0;
	if (index >= 0)
		*day = index + 1;
	else if (ten >= 0)
		*day = ten * 10 + 20;
	else if (strcmp(word->text, "last") == 0)
		*day = LAST_DAY_OF_MONTH;
	else
		return ordinal_compound(phrase, further, day);
	return 1;
}

/* Lists */

bool phrase_more(struct phrase *phrase, phrase_begins *begins)
{
	size_t further = 0;
	if (word_is(phrase, further, ","))
		further++;
	if (word_is(phrase, further, "and") || word_is(phrase, further, "or"))
		further++;
	if (further == 0 || !begins(phrase, further))
		return false;
	phrase->at += further;
	return true;
}

bool phrase_add(struct phrase *phrase, struct slot *slot, struct phrase_range range, size_t first)
{
	struct part part = words_since(phrase, first);
	if (slot->count == SLOT_MAXIMUM)
		return reading_fail(phrase->reading, part, "more than %d of a kind", SLOT_MAXIMUM);
	if (slot->count == 0)
		slot->part = part;
	slot->part.length = part.offset + part.length - slot->part.offset;
	slot->list[slot->count++] = range;
	return true;
}

bool phrase_number_begins(const struct phrase *phrase, size_t further)
{
	return word_at(phrase, further)->kind == WORD_NUMBER &&
	       !word_at(phrase, further + 1)->glued;
}

bool phrase_refuse(struct phrase *phrase, const struct slot *slot, const char *why)
{
	return slot->count == 0 || reading_fail(phrase->reading, slot->part, "%s", why);
}
