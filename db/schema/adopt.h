/*
 * Migrations whose tables exist although they are not recorded: Rails created Solid Queue's, or
 * loaded ours from a schema dump, which contains tables without their rows. Private to db/.
 */
#ifndef ADOPT_H
#define ADOPT_H

#include "db/schema/schema.h"

/*
 * Solid Queue's tables, created by Rails: recorded, never altered. Indexes and types may differ;
 * INVALID when a table or a column is missing that dray needs.
 */
enum status adopt_solid_queue(struct db *db, struct arena *arena,
			      const struct schema_migration *migration,
			      struct error *error) MUST_CHECK;

/*
 * Our own tables of this migration. Empty ones are dropped, so that the migration can create them
 * properly: a dump does not contain everything about them. Tables with rows are recorded (*adopted)
 * if they have all that dray needs; else INVALID, and nothing is changed.
 */
enum status adopt_ours(struct db *db, struct arena *arena, const struct schema_migration *migration,
		       bool *adopted, struct error *error) MUST_CHECK;

#endif
