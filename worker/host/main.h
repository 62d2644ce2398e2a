/*
 * A job host: the process in which isolated jobs run, one after the other. It is this program
 * again, with a name of its own as argv[0], started only by a worker (hosts.h).
 */
#ifndef HOST_MAIN_H
#define HOST_MAIN_H

#define HOST_NAME "dray-job-host"

/*
 * The program: argv[1] is the module, standard input the socket to the worker. Runs jobs until the
 * worker closes its end. Returns the exit status.
 */
int host_main(int argc, char **argv);

#endif
