#ifndef GIVE_BACK_H
#define GIVE_BACK_H

#include "queue/claim/claim_name.h"

/*
 * Gives claims of a process back to ready; *released of them. Those of which the database refuses
 * that stay as they are (queue/refused).
 */
enum status claims_give_back(struct db *db, const struct claim_name claims[], size_t count,
			     int64_t *released, struct error *error) MUST_CHECK;

#endif
