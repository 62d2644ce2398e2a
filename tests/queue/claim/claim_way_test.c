/* Which way a claim is made, from what is known: every combination of facts, without a database. */
#include "queue/claim/claim.h"
#include "tests/support/test.h"

static const char *const ways[] = {
	[CLAIM_EVERY_QUEUE] = "every queue",
	[CLAIM_WINDOW] = "window",
	[CLAIM_BEHIND_BACKLOG] = "behind a backlog",
	[CLAIM_ONE_QUEUE] = "one queue",
	[CLAIM_ELIGIBLE] = "eligible",
	[CLAIM_BY_QUEUE] = "by queue",
};

/* A row stands for every combination of what is not named: ANY of a fact, or all that is paused. */
enum fact { NO, YES, ANY };

#define NOTHING  (1U << CLAIM_NOTHING_PAUSED)
#define QUEUES   (1U << CLAIM_QUEUES_PAUSED)
#define PATTERNS (1U << CLAIM_PATTERNS_PAUSED)
#define CLASSES  (1U << CLAIM_CLASSES_PAUSED)
#define ANYTHING (QUEUES | PATTERNS | CLASSES)

struct row {
	enum claim_scope scope;
	unsigned paused; /* any of these */
	enum fact leaves, idle, backlog, window;
	enum claim_way way;
};

static const struct row rows[] = {
	/* "*", every class */
	{ CLAIM_SCOPE_EVERY, NOTHING, NO, ANY, ANY, ANY, CLAIM_EVERY_QUEUE },
	{ CLAIM_SCOPE_EVERY, ANYTHING, NO, NO, ANY, YES, CLAIM_WINDOW },
	{ CLAIM_SCOPE_EVERY, ANYTHING, NO, NO, NO, NO, CLAIM_WINDOW },
	{ CLAIM_SCOPE_EVERY, ANYTHING, NO, NO, YES, NO, CLAIM_BEHIND_BACKLOG },
	{ CLAIM_SCOPE_EVERY, ANYTHING, NO, YES, ANY, ANY, CLAIM_BEHIND_BACKLOG },
	/* "*", but it leaves some jobs */
	{ CLAIM_SCOPE_EVERY, NOTHING | ANYTHING, YES, ANY, ANY, ANY, CLAIM_BY_QUEUE },
	/* one queue */
	{ CLAIM_SCOPE_ONE, NOTHING | QUEUES | PATTERNS, NO, ANY, ANY, ANY, CLAIM_ONE_QUEUE },
	{ CLAIM_SCOPE_ONE, CLASSES, NO, ANY, ANY, ANY, CLAIM_ELIGIBLE },
	{ CLAIM_SCOPE_ONE, NOTHING | ANYTHING, YES, ANY, ANY, ANY, CLAIM_ELIGIBLE },
	/* a list, or a prefix */
	{ CLAIM_SCOPE_SOME, NOTHING | ANYTHING, ANY, ANY, ANY, ANY, CLAIM_BY_QUEUE },
};

static bool agrees(enum fact fact, bool is)
{
	return fact == ANY || (fact == YES) == is;
}

static bool describes(const struct row *row, const struct claim_facts *facts)
{
	return row->scope == facts->scope && (row->paused & (1U << facts->paused)) != 0 &&
	       agrees(row->leaves, facts->leaves) && agrees(row->idle, facts->idle) &&
	       agrees(row->backlog, facts->backlog) && agrees(row->window, facts->window);
}

static void check(const struct claim_facts *facts)
{
	const struct row *row = NULL;
	size_t found = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (describes(&rows[i], facts)) {
			row = &rows[i];
			found++;
		}
	assert_int_equal(found, 1); /* the table is complete, and says nothing twice */
	if (claim_choose(facts) != row->way)
		print_error("scope %d, paused %d, leaves %d, idle %d, backlog %d, window %d:\n",
			    (int)facts->scope, (int)facts->paused, facts->leaves, facts->idle,
			    facts->backlog, facts->window);
	assert_string_equal(ways[claim_choose(facts)], ways[row->way]);
}

CASE(every_combination_of_facts)
{
	for (unsigned bits = 0; bits < 16; bits++)
		for (unsigned paused = 0; paused < 4; paused++)
			for (unsigned scope = 0; scope < 3; scope++)
				check(&(struct claim_facts){ .scope = (enum claim_scope)scope,
							     .paused = (enum claim_paused)paused,
							     .leaves = bits & 1,
							     .idle = bits & 2,
							     .backlog = bits & 4,
							     .window = bits & 8 });
}
