/*
 * Private to claiming: jobs of classes that a worker does not know, where it leaves them but seldom
 * meets one (unknown_classes: auto, and no other software in sight). Then a claim that passes over
 * them (queue/claim/eligible.h) would only cost time, so it claims every class until it gets such a
 * job. That is put back before anything else happens to it, and from then on only the known classes
 * are claimed, until no such job has been there for a minute.
 */
#ifndef UNKNOWN_H
#define UNKNOWN_H

#include "queue/claim/claim.h"

/* Before a claim: may it take every class again? Asks the database once a minute at most. */
enum status unknown_look(struct db *db, struct arena *arena, struct claim_request *request,
			 struct error *error) MUST_CHECK;

/*
 * After a claim: takes out the jobs of unknown classes and makes them ready again, since when they
 * were; they keep their slots, and nothing is counted. When it fails there may be claims of ours
 * that we do not know.
 */
enum status unknown_put_back(struct claiming *claiming, struct error *error) MUST_CHECK;

#endif
