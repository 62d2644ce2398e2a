/* What lists of any kind have in common: their members, and whether another follows. */
#include "schedule/phrase/phrase.h"

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
