/* What a container expects of its first process. */
#ifndef CONTAINER_H
#define CONTAINER_H

/*
 * As process 1, forks and stays behind: it passes signals on, collects processes that jobs left
 * behind, and ends with the status of the one that goes on, in which this returns. In any other
 * process it does nothing. To be called before anything is open.
 */
void container_enter(void);

#endif
