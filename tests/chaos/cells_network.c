/* The network between the deployment and its server, and between two instances of it. */
#include "tests/chaos/cells.h"

#define SPELL  (1500 * CLOCK_MILLISECOND)
#define PRUNED "\"processes.pruned\""

static void lasts(const struct field *field, enum forwarder_mode mode)
{
	forwarder_mode(field->forwarder, mode);
	clock_sleep(SPELL);
	forwarder_mode(field->forwarder, FORWARDER_PASS);
}

void cell_network_slow(struct field *field)
{
	lasts(field, FORWARDER_DELAY);
}

/* Longer than a call may take, so that what arrives late finds its caller gone. */
void cell_network_stalled(struct field *field)
{
	forwarder_mode(field->forwarder, FORWARDER_STALL);
	clock_sleep(2 * SPELL);
	forwarder_mode(field->forwarder, FORWARDER_PASS);
}

void cell_network_half_open(struct field *field)
{
	lasts(field, FORWARDER_HALF);
}

void cell_network_dropped(struct field *field)
{
	lasts(field, FORWARDER_DROP);
}

/* The other one takes its jobs; when it is back it learns that it was given up. */
void cell_instance_cut_off(struct field *field)
{
	forwarder_mode(field->forwarder, FORWARDER_HALF);
	field_await_log(field, PRUNED);
	forwarder_mode(field->forwarder, FORWARDER_PASS);
	field_await_loss(field);
}
