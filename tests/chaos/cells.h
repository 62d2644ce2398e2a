/* The disturbances, by what they break. */
#ifndef CELLS_H
#define CELLS_H

#include "tests/chaos/field.h"

void cell_nothing(struct field *field);

/* cells_server.c */
void cell_server_restarted(struct field *field);
void cell_server_crashed(struct field *field);
void cell_connections_ended(struct field *field);
void cell_connections_exhausted(struct field *field);
void cell_read_only(struct field *field);
void cell_disk_full(struct field *field);
const char *cell_disk_missing(const struct field *field);

/* cells_failover.c */
void cell_failover(struct field *field);
const char *cell_failover_fault(const struct field *field);

/* cells_network.c */
void cell_network_slow(struct field *field);
void cell_network_stalled(struct field *field);
void cell_network_half_open(struct field *field);
void cell_network_dropped(struct field *field);
void cell_instance_cut_off(struct field *field);

/* cells_process.c */
void cell_worker_frozen(struct field *field);
void cell_dispatcher_frozen(struct field *field);
void cell_supervisor_frozen(struct field *field);
void cell_workers_killed(struct field *field);
void cell_dispatcher_killed(struct field *field);
void cell_supervisor_killed(struct field *field);
void cell_instance_frozen(struct field *field);

/* cells_sqlite.c */
void cell_file_locked(struct field *field);
void cell_file_gone(struct field *field);
const char *cell_file_read_only_missing(const struct field *field);
void cell_file_read_only_start(struct field *field);
void cell_file_read_only(struct field *field);

/* cells_namespace.c */
const char *cell_namespace_missing(const struct field *field);
void cell_namespace_start(struct field *field);
void cell_namespace_cut_off(struct field *field);
void cell_namespace_end(struct field *field);

/* cells_clock.c */
void cell_clock_start(struct field *field);
void cell_clock_jumps(struct field *field);

#endif
