/*
 * Writes the files of tests/db/plans from the plans that the databases at hand show, for the target
 * "plans". A line that all its plans agree with stays as it is.
 */
#ifndef TEST_PLAN_LEARN_H
#define TEST_PLAN_LEARN_H

#include "tests/support/plan/lines.h"

/*
 * Before anything else: from now on, DRAY_TEST_BACKENDS names the databases at hand only, those
 * wanted whose server has a url. False when there is none.
 */
bool plan_learn_begin(void);

/* One plan of a statement ("claim 2"). */
void plan_learn(enum db_dialect dialect, const char *key, const char *plan);

/* Writes the files of the databases at hand, and says what is new and what others lack. */
void plan_learn_end(void);

#endif
