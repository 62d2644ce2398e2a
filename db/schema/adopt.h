/*
 * Migrations whose tables are there though nothing says that they were applied: Rails made Solid
 * Queue's, or loaded ours from a schema dump, which has tables and no rows. Private to db/.
 */
#ifndef ADOPT_H
#define ADOPT_H

#include "db/schema/schema.h"

/*
 * Solid Queue's tables, made by Rails: recorded, never altered. Indexes and types may differ;
 * INVALID when a table or a column is missing, without which dray could not work.
 */
enum status adopt_solid_queue(struct db *db, struct arena *arena,
			      const struct schema_migration *migration,
			      struct error *error) MUST_CHECK;

/*
 * Our own tables of this migration. Those without rows are dropped, so that the migration can make
 * them as they should be: a dump does not say all about them. With rows they are recorded
 * (*adopted), when all that dray needs is there; else INVALID, and nothing is changed.
 */
enum status adopt_ours(struct db *db, struct arena *arena, const struct schema_migration *migration,
		       bool *adopted, struct error *error) MUST_CHECK;

#endif
