/*
 * Migrations whose tables exist although they are not recorded: Rails created Solid Queue's, or
 * loaded ours from a schema dump, which contains tables without their rows. Private to db/.
 */
#ifndef ADOPT_H
#define ADOPT_H

#include "db/schema/schema.h"

/*
 * May Solid Queue's tables be used as they are? Indexes and types may differ; INVALID when a table
 * or a column is missing that dray needs.
 */
enum status adopt_solid_queue(struct db *db, struct arena *arena, struct error *error) MUST_CHECK;

/*
 * Our own tables of this migration, before it is applied. Empty ones are dropped, so that it can
 * create them properly: a dump does not contain everything about them. Those with rows stay if they
 * have all that dray needs; else INVALID.
 */
enum status adopt_ours(struct db *db, struct arena *arena, const struct schema_migration *migration,
		       struct error *error) MUST_CHECK;

#endif
