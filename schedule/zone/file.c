#include "schedule/zone/data.h"

#define HEADER_SIZE   44
#define KIND_SIZE     6
#define KINDS_MAXIMUM 256
#define TRANSITIONS   4000 /* the system's largest has 240 */

/* The six counts of a header, in their order. */
enum count { UT_FLAGS, STANDARD_FLAGS, LEAPS, TIMES, KINDS, CHARACTERS, COUNTS };

/* One of the file's two blocks. */
struct block {
	const unsigned char *data; /* after the header */
	size_t counts[COUNTS];
	size_t time_size;
	size_t length;
};

static uint32_t load32(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static int64_t load_time(const unsigned char *at, size_t size)
{
	if (size == 4)
		return (int32_t)load32(at);
	return (int64_t)((uint64_t)load32(at) << 32 | load32(at + 4));
}

static size_t block_length(const struct block *block)
{
	const size_t *counts = block->counts;
	return counts[TIMES] * (block->time_size + 1) + counts[KINDS] * KIND_SIZE +
	       counts[CHARACTERS] + counts[LEAPS] * (block->time_size + 4) +
	       counts[STANDARD_FLAGS] + counts[UT_FLAGS];
}

/* The block that begins at data; NULL or what is wrong. Counts are small before they multiply. */
static const char *open_block(const unsigned char *data, size_t length, size_t time_size,
			      struct block *block)
{
	if (length < HEADER_SIZE || memcmp(data, "TZif", 4) != 0)
		return "is not a time zone file";
	block->data = data + HEADER_SIZE;
	block->time_size = time_size;
	for (int i = 0; i < COUNTS; i++) {
		block->counts[i] = load32(data + 20 + 4 * (size_t)i);
		if (block->counts[i] > ZONE_FILE_MAXIMUM)
			return "has too large a count";
	}
	block->length = block_length(block);
	return block->length <= length - HEADER_SIZE ? NULL : "is cut off";
}

static const char *check_counts(const struct block *block)
{
	const size_t *counts = block->counts;
	if (counts[LEAPS] > 0)
		return "counts leap seconds, which the database's clock does not";
	if (counts[KINDS] < 1 || counts[KINDS] > KINDS_MAXIMUM || counts[CHARACTERS] < 1)
		return "has no kinds of time, or too many";
	return counts[TIMES] <= TRANSITIONS ? NULL : "has too many transitions";
}

static const char *read_transitions(struct arena *arena, const struct block *block,
				    struct zone *zone)
{
	size_t count = block->counts[TIMES];
	const unsigned char *kinds = block->data + count * block->time_size;
	zone->transitions = arena_array(arena, count, sizeof(*zone->transitions));
	zone->kind = arena_array(arena, count, sizeof(*zone->kind));
	zone->count = count;
	for (size_t i = 0; i < count; i++) {
		int64_t at = load_time(block->data + i * block->time_size, block->time_size);
		if (at < ZONE_BEGINNING || at >= ZONE_END ||
		    (i > 0 && at <= zone->transitions[i - 1]))
			return "has transitions out of order";
		if (kinds[i] >= block->counts[KINDS])
			return "refers to a kind of time that it does not have";
		zone->transitions[i] = at;
		zone->kind[i] = kinds[i];
	}
	return NULL;
}

static const char *read_kinds(struct arena *arena, const struct block *block, struct zone *zone)
{
	size_t count = block->counts[KINDS];
	size_t characters = block->counts[CHARACTERS];
	const unsigned char *at = block->data + block->counts[TIMES] * (block->time_size + 1);
	const char *names = (const char *)at + count * KIND_SIZE;
	if (names[characters - 1] != '\0')
		return "has an abbreviation without an end";
	char *copy = arena_alloc(arena, characters);
	memcpy(copy, names, characters);
	zone->kinds = arena_array(arena, count, sizeof(*zone->kinds));
	for (size_t i = 0; i < count; i++, at += KIND_SIZE) {
		int offset = (int)load32(at);
		if (offset < ZONE_OFFSET_MINIMUM || offset > ZONE_OFFSET_MAXIMUM)
			return "has an offset of more than a day";
		if (at[4] > 1 || at[5] >= characters)
			return "has a malformed kind of time";
		zone->kinds[i] = (struct zone_kind){ offset, at[4] == 1, copy + at[5] };
	}
	return NULL;
}

/* "\n" rule "\n"; the rule may be empty. */
static const char *read_footer(const struct block *block, const unsigned char *end,
			       struct zone *zone)
{
	const char *footer = (const char *)block->data + block->length;
	size_t left = (size_t)((const char *)end - footer);
	const char *close = left > 1 ? memchr(footer + 1, '\n', left - 1) : NULL;
	if (!close || footer[0] != '\n')
		return "has no footer";
	size_t length = (size_t)(close - footer) - 1;
	if (length > 0 && !zone_rule_parse(footer + 1, length, &zone->rule))
		return "has a malformed rule in its footer";
	return NULL;
}

static const char *read_zone(struct arena *arena, const unsigned char *data, size_t length,
			     struct zone *zone)
{
	struct block block;
	const char *fault = open_block(data, length, 4, &block);
	bool second = !fault && data[4] >= '2';
	if (second) { /* the first block is for readers of 32 bits */
		const unsigned char *from = block.data + block.length;
		fault = open_block(from, (size_t)(data + length - from), 8, &block);
	}
	if (!fault)
		fault = check_counts(&block);
	if (!fault)
		fault = read_transitions(arena, &block, zone);
	if (!fault)
		fault = read_kinds(arena, &block, zone);
	if (!fault && second)
		fault = read_footer(&block, data + length, zone);
	return fault;
}

enum status zone_read(struct arena *arena, const char *name, const void *data, size_t length,
		      struct zone **zone, struct error *error)
{
	struct zone *made = arena_alloc(arena, sizeof(*made));
	made->name = arena_strdup(arena, name);
	const char *fault = read_zone(arena, data, length, made);
	if (fault)
		return error_set(error, STATUS_INVALID, "the data of time zone %s %s", name, fault);
	*zone = made;
	return STATUS_OK;
}
