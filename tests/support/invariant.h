/* Each unfinished job is in exactly one table: to be asked after every test that moves jobs. */
#ifndef TEST_INVARIANT_H
#define TEST_INVARIANT_H

#include "db/db.h"

/* Fails the test, naming each kind of violation with the number of its jobs and an example. */
void test_invariant(struct db *db);

#endif
