/* The disturbances, by what they break. */
#ifndef CELLS_H
#define CELLS_H

#include "tests/chaos/field.h"

void cell_nothing(struct field *field);

/* cells_server.c */
void cell_server_restarted(struct field *field);
void cell_server_crashed(struct field *field);

#endif
