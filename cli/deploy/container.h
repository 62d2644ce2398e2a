/* What a container expects of process 1. */
#ifndef CONTAINER_H
#define CONTAINER_H

/*
 * In process 1, forks and returns in the child. The parent passes signals on, collects the
 * processes that jobs leave behind, and exits with the child's status. In any other process it does
 * nothing. To be called before any file or connection is open.
 */
void container_enter(void);

#endif
