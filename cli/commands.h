/* Every command; the table is in main.c. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "cli/cli.h"

extern const struct command start_command;
extern const struct command worker_command;
extern const struct command dispatcher_command;
extern const struct command scheduler_command;
extern const struct command reload_command;
extern const struct command check_command;
extern const struct command db_command;
extern const struct command enqueue_command;
extern const struct command jobs_command;
extern const struct command job_command;
extern const struct command why_command;
extern const struct command retry_command;
extern const struct command discard_command;
extern const struct command run_now_command;
extern const struct command move_command;
extern const struct command reprioritize_command;
extern const struct command clear_command;
extern const struct command queues_command;
extern const struct command stats_command;
extern const struct command top_command;
extern const struct command pause_command;
extern const struct command resume_command;
extern const struct command recurring_command;
extern const struct command processes_command;
extern const struct command audit_command;
extern const struct command doctor_command;
extern const struct command version_command;
extern const struct command help_command;
extern const struct command complete_command;
#ifdef DRAY_FAULTS
extern const struct command faults_command;
#endif

#endif
