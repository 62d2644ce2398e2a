#include "queue/limits/heal_memory.h"

#include <stdlib.h>

#include "common/arena.h"
#include "common/hash.h"

static int compare(const void *left, const void *right)
{
	uint64_t a = ((const struct heal_mark *)left)->key;
	uint64_t b = ((const struct heal_mark *)right)->key;

	return (a > b) - (a < b);
}

static size_t add(struct heal_marks *marks, const struct heal_mark *mark)
{
	if (marks->count == marks->room) {
		marks->room = marks->room > 0 ? 2 * marks->room : 64;
		marks->list = realloc(marks->list, marks->room * sizeof(*mark));
		if (!marks->list)
			out_of_memory();
	}
	marks->list[marks->count] = *mark;
	return marks->count++;
}

size_t heal_memory_see(struct heal_memory *memory, const char *key, uint64_t state)
{
	const struct heal_marks *before = &memory->before;
	struct heal_mark mark = { .key = hash_text(HASH_START, key) };
	const struct heal_mark *known = NULL;

	if (before->count > 0)
		known = bsearch(&mark, before->list, before->count, sizeof(mark), compare);
	if (known)
		mark = *known;
	/* After a repair it takes two looks again. */
	mark.lasts = known && !known->lasts && known->state == state;
	mark.state = state;
	return add(&memory->current, &mark);
}

void heal_memory_conclude(struct heal_memory *memory)
{
	struct heal_marks *seen = &memory->current;
	size_t kept = 0;

	for (size_t i = 0; i < seen->count; i++)
		if (!seen->list[i].lasts || seen->list[i].since > 0)
			seen->list[kept++] = seen->list[i];
	seen->count = kept;
	if (kept > 0)
		qsort(seen->list, kept, sizeof(*seen->list), compare);
	free(memory->before.list);
	memory->before = *seen;
	memory->current = (struct heal_marks){ 0 };
}

void heal_memory_clear(struct heal_memory *memory)
{
	free(memory->before.list);
	free(memory->current.list);
	*memory = (struct heal_memory){ 0 };
}

void heal_mark_count(struct heal_mark *mark, int64_t missing, int64_t now)
{
	if (missing <= 0) {
		mark->since = 0;
		return;
	}
	if (mark->since == 0) {
		mark->since = now;
		mark->missing = missing;
		mark->counts = mark->fewest = 0;
	}
	mark->counts++;
	if (missing < mark->missing) {
		mark->missing = missing;
		mark->fewest = 0;
	}
	mark->fewest += missing == mark->missing;
}

int64_t heal_mark_leaked(const struct heal_mark *mark, int64_t patience, int64_t now)
{
	bool leaked =
		mark->since > 0 && now - mark->since >= patience && 2 * mark->fewest > mark->counts;

	return leaked ? mark->missing : 0;
}
