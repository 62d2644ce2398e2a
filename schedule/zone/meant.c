/* Short names that are no zones of the database, and the place that most who write them mean. */
#include <string.h>

#include "schedule/zone/zones.h"

static const struct {
	const char *name, *zone;
} meant[] = {
	{ "ACDT", "Australia/Adelaide" },
	{ "ACST", "Australia/Adelaide" },
	{ "AEDT", "Australia/Sydney" },
	{ "AEST", "Australia/Sydney" },
	{ "AKDT", "America/Anchorage" },
	{ "AKST", "America/Anchorage" },
	{ "ART", "America/Argentina/Buenos_Aires" },
	{ "AWST", "Australia/Perth" },
	{ "BRT", "America/Sao_Paulo" },
	{ "BST", "Europe/London" },
	{ "CAT", "Africa/Maputo" },
	{ "CDT", "America/Chicago" },
	{ "Central", "America/Chicago" },
	{ "CEST", "Europe/Berlin" },
	{ "CST", "America/Chicago" },
	{ "CT", "America/Chicago" },
	{ "EAT", "Africa/Nairobi" },
	{ "Eastern", "America/New_York" },
	{ "EDT", "America/New_York" },
	{ "EEST", "Europe/Athens" },
	{ "ET", "America/New_York" },
	{ "GST", "Asia/Dubai" },
	{ "HKT", "Asia/Hong_Kong" },
	{ "ICT", "Asia/Bangkok" },
	{ "IST", "Asia/Kolkata" },
	{ "JST", "Asia/Tokyo" },
	{ "KST", "Asia/Seoul" },
	{ "MDT", "America/Denver" },
	{ "MESZ", "Europe/Berlin" },
	{ "MEZ", "Europe/Berlin" },
	{ "Mountain", "America/Denver" },
	{ "MSK", "Europe/Moscow" },
	{ "MT", "America/Denver" },
	{ "NZDT", "Pacific/Auckland" },
	{ "NZST", "Pacific/Auckland" },
	{ "Pacific", "America/Los_Angeles" },
	{ "PDT", "America/Los_Angeles" },
	{ "PHT", "Asia/Manila" },
	{ "PKT", "Asia/Karachi" },
	{ "PST", "America/Los_Angeles" },
	{ "PT", "America/Los_Angeles" },
	{ "SAST", "Africa/Johannesburg" },
	{ "SGT", "Asia/Singapore" },
	{ "TRT", "Europe/Istanbul" },
	{ "WAT", "Africa/Lagos" },
	{ "WEST", "Europe/Lisbon" },
	{ "WIB", "Asia/Jakarta" },
	{ "Z", "UTC" },
};

const char *zones_short(const char *name)
{
	for (size_t i = 0; i < sizeof(meant) / sizeof(meant[0]); i++)
		if (strcasecmp(meant[i].name, name) == 0)
			return meant[i].zone;
	return NULL;
}
