/*
 * Zones by name: those of the system's files, each read once; those that Rails has for settings;
 * and for the message about a name that is none, the zone that was probably meant.
 */
#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/process.h"
#include "common/text/parse.h"
#include "common/text/text.h"
#include "schedule/zone/zones.h"

/* Short names that are no zones of the database, and the place that most who write them mean */

static const struct {
	const char *name, *zone;
} short_names[] = {
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

/* Large cities that have no zone of their name, in small letters. */
static const struct {
	const char *zone, *cities;
} cities[] = {
	{ "America/Chicago", "austin dallas houston minneapolis new_orleans san_antonio" },
	{ "America/Los_Angeles", "las_vegas portland san_diego san_francisco san_jose seattle" },
	{ "America/New_York", "atlanta boston charlotte miami philadelphia pittsburgh washington" },
	{ "America/Sao_Paulo", "brasilia rio rio_de_janeiro" },
	{ "America/Toronto", "ottawa" },
	{ "Asia/Karachi", "islamabad lahore" },
	{ "Asia/Kolkata", "bangalore bengaluru chennai delhi hyderabad mumbai new_delhi pune" },
	{ "Asia/Ho_Chi_Minh", "hanoi" },
	{ "Asia/Shanghai", "beijing guangzhou shenzhen" },
	{ "Asia/Tokyo", "kyoto osaka" },
	{ "Europe/Berlin", "cologne frankfurt hamburg munich stuttgart" },
	{ "Europe/London", "birmingham edinburgh manchester" },
	{ "Europe/Madrid", "barcelona valencia" },
	{ "Europe/Paris", "lyon marseille" },
	{ "Europe/Rome", "milan naples" },
	{ "Europe/Zurich", "basel bern geneva" },
};

static const char *large_city(struct arena *arena, const char *name)
{
	char *small = arena_strdup(arena, name);

	for (char *byte = small; *byte; byte++)
		*byte = (char)(*byte >= 'A' && *byte <= 'Z' ? *byte | 0x20 : *byte);
	for (size_t i = 0; i < sizeof(cities) / sizeof(cities[0]); i++)
		if (name_listed(cities[i].cities, small))
			return cities[i].zone;
	return NULL;
}

/* NULL: not known. */
static const char *find_short(const char *name)
{
	for (size_t i = 0; i < sizeof(short_names) / sizeof(short_names[0]); i++)
		if (strcasecmp(short_names[i].name, name) == 0)
			return short_names[i].zone;
	return NULL;
}

/* Names of files, and offsets */

#define DIRECTORY    "/usr/share/zoneinfo"
#define NAME_MAXIMUM 64

struct zones {
	struct arena *arena;
	const char *directory;
	const struct zone *utc;
	const struct zone *list[ZONES_MAXIMUM];
	size_t count;
	const char **names; /* all there are, once somebody asked for the nearest; else NULL */
	size_t name_count;
};

struct zones *zones_new(struct arena *arena, const char *directory)
{
	struct zones *zones = arena_alloc(arena, sizeof(*zones));
	const char *given = directory ? directory : getenv("TZDIR");
	zones->arena = arena;
	zones->directory = arena_strdup(arena, given && given[0] == '/' ? given : DIRECTORY);
	zones->utc = zone_fixed(arena, "UTC", 0);
	return zones;
}

const struct zone *zones_utc(struct zones *zones)
{
	return zones->utc;
}

static int two_digits(const char *text)
{
	bool digits = text[0] >= '0' && text[0] <= '9' && text[1] >= '0' && text[1] <= '9';
	return digits ? (text[0] - '0') * 10 + (text[1] - '0') : -1;
}

/* [+-]hh[[:]mm] */
bool zones_offset(const char *text, size_t *length, int *seconds)
{
	if (text[0] != '+' && text[0] != '-')
		return false;
	int hours = two_digits(text + 1);
	if (hours < 0 || hours > 24)
		return false;
	size_t colon = text[3] == ':' ? 1 : 0;
	int minutes = two_digits(text + 3 + colon);
	*length = minutes < 0 ? 3 : 5 + colon;
	if (minutes < 0)
		minutes = 0;
	*seconds = (hours * 3600 + minutes * 60) * (text[0] == '-' ? -1 : 1);
	return minutes % 15 == 0 && minutes < 60;
}

/* Only what names have, so that no name leads out of the directory. */
static bool is_name(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_+-/";
	size_t length = strlen(name);
	return length > 0 && length <= NAME_MAXIMUM && name[strspn(name, allowed)] == '\0' &&
	       name[0] >= 'A' && name[0] <= 'Z' && name[length - 1] != '/' && !strstr(name, "//");
}

static const char *last_part(const char *name)
{
	const char *slash = strrchr(name, '/');
	return slash ? slash + 1 : name;
}

/* Etc/GMT+5 lies west: people who write GMT+5 hardly mean that. */
static void add_name(struct zones *zones, const char *name)
{
	if (is_name(name) && strncmp(name, "Etc/", 4) != 0 && zones->name_count < ZONES_MAXIMUM)
		zones->names[zones->name_count++] = arena_strdup(zones->arena, name);
}

static int by_name(const FTSENT **left, const FTSENT **right)
{
	return strcmp((*left)->fts_name, (*right)->fts_name);
}

/* Only on the way to the first error: many may follow. */
static void list_names(struct zones *zones)
{
	char *roots[] = { arena_strdup(zones->arena, zones->directory), NULL };
	size_t skip = strlen(zones->directory) + 1;
	zones->names = arena_array(zones->arena, ZONES_MAXIMUM, sizeof(*zones->names));
	FTS *walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
	if (!walk)
		return;
	for (FTSENT *entry; (entry = fts_read(walk));)
		if (entry->fts_info == FTS_F && entry->fts_pathlen > skip)
			add_name(zones, entry->fts_path + skip);
	(void)fts_close(walk);
}

/* "UTC+2" as +02:00; Etc/GMT+2 would be the other side. */
static const char *offset_meant(struct zones *zones, const char *wanted)
{
	bool named = strncasecmp(wanted, "UTC", 3) == 0 || strncasecmp(wanted, "GMT", 3) == 0;
	const char *sign = wanted + (named ? 3 : 0);
	const size_t digits = named ? strspn(sign + (*sign != '\0'), "0123456789") : 0;
	if ((*sign != '+' && *sign != '-') || digits < 1 || digits > 2)
		return NULL;
	const char *text =
		arena_printf(zones->arena, "%c%s%s", *sign, digits == 1 ? "0" : "", sign + 1);
	size_t length;
	int seconds;
	return zones_offset(text, &length, &seconds) && text[length] == '\0'
		       ? arena_printf(zones->arena, "%s%s", text, length == 3 ? ":00" : "")
		       : NULL;
}

/* The names of cities have no spaces there. */
static const char *last_part_meant(struct zones *zones, const char *wanted)
{
	char *part = arena_strdup(zones->arena, last_part(wanted));
	for (char *at = part; (at = strchr(at, ' '));)
		*at = '_';
	return part;
}

/* The first name with this last part, or rather that in the region of what is wanted. */
static const char *find_part(struct zones *zones, const char *wanted, const char *part)
{
	const size_t region = (size_t)(last_part(wanted) - wanted);
	const char *found = NULL;
	if (!zones->names)
		list_names(zones);
	for (size_t i = 0; i < zones->name_count; i++) {
		const char *name = zones->names[i];
		if (strcasecmp(last_part(name), part) != 0)
			continue;
		if ((size_t)(last_part(name) - name) == region &&
		    strncasecmp(name, wanted, region) == 0)
			return name;
		found = found ? found : name;
	}
	return found;
}

const char *zones_meant(struct zones *zones, const char *name)
{
	const char *part = last_part_meant(zones, name);
	const char *zone = find_short(name);

	zone = zone ? zone : find_part(zones, name, part);
	zone = zone ? zone : large_city(zones->arena, part);
	return zone && zones_has(zones, zone) ? zone : offset_meant(zones, name);
}

/* Whole names would be near by what many have in common: the wrong city is worse than none. */
static const char *nearest_name(struct zones *zones, const char *wanted)
{
	const char *meant = zones_meant(zones, wanted);
	if (meant || zones->name_count == 0)
		return meant;
	const char *part = last_part_meant(zones, wanted);
	const char **parts = arena_array(zones->arena, zones->name_count, sizeof(*parts));
	for (size_t i = 0; i < zones->name_count; i++)
		parts[i] = last_part(zones->names[i]);
	const char *nearest = nearest_word(part, parts, zones->name_count);
	return nearest && (*nearest | 0x20) == (*part | 0x20) ? find_part(zones, wanted, nearest)
							      : NULL;
}

static enum status unknown_zone(struct zones *zones, const char *name, struct error *error)
{
	if (!error)
		return STATUS_INVALID;
	if (!zones->names)
		list_names(zones);
	struct arena *arena = arena_new();
	const char *nearest = nearest_name(zones, name);
	const char *plain = text_plain(arena, name, strlen(name));
	if (zones->name_count == 0)
		(void)error_set(error, STATUS_INVALID,
				"no time zone is known: %s is empty or missing (package tzdata)",
				zones->directory);
	else if (nearest)
		(void)error_set(error, STATUS_INVALID,
				"\"%s\" is not a time zone: did you mean %s?", plain, nearest);
	else
		(void)error_set(error, STATUS_INVALID,
				"\"%s\" is not a time zone such as Europe/Madrid, UTC or +09:00",
				plain);
	arena_free(arena);
	return STATUS_INVALID;
}

/* What cannot be read must not stay in the arena: somebody may ask for it again and again. */
static enum status read_kept(struct zones *zones, const char *name, const char *data, size_t length,
			     struct zone **zone, struct error *error)
{
	struct arena *scratch = arena_new();
	enum status status = zone_read(scratch, name, data, length, zone, error);
	arena_free(scratch);
	if (status != STATUS_OK)
		return status;
	return zone_read(zones->arena, name, data, length, zone, error);
}

/* NONE: there is no such file. */
static enum status load_zone(struct zones *zones, const char *name, const char *path,
			     const struct zone **zone, struct error *error)
{
	struct zone *read = NULL;
	char *data = NULL;
	size_t length;
	enum status status = file_read(path, ZONE_FILE_MAXIMUM, &data, &length, error);
	if (status != STATUS_OK)
		return status;
	status = read_kept(zones, name, data, length, &read, error);
	free(data);
	if (status == STATUS_OK)
		*zone = read;
	return status;
}

static enum status keep_zone(struct zones *zones, const struct zone *zone, struct error *error)
{
	if (zones->count == ZONES_MAXIMUM)
		return error_set(error, STATUS_INVALID, "more than %d time zones are in use",
				 ZONES_MAXIMUM);
	zones->list[zones->count++] = zone;
	return STATUS_OK;
}

static const struct zone *find_known(const struct zones *zones, const char *name)
{
	if (strcmp(name, "UTC") == 0)
		return zones->utc;
	for (size_t i = 0; i < zones->count; i++)
		if (strcmp(zone_name(zones->list[i]), name) == 0)
			return zones->list[i];
	return NULL;
}

/* Where the file of a name is; false: there is none. */
static bool find_path(const struct zones *zones, const char *name, char path[PATH_MAX])
{
	struct stat about;
	if (!is_name(name))
		return false;
	int length = snprintf(path, PATH_MAX, "%s/%s", zones->directory, name);
	return length < PATH_MAX && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

bool zones_has(struct zones *zones, const char *name)
{
	char path[PATH_MAX];
	return find_known(zones, name) || find_path(zones, name, path);
}

static enum status find_file(struct zones *zones, const char *name, const struct zone **zone,
			     struct error *error)
{
	char path[PATH_MAX];
	if (!find_path(zones, name, path))
		return unknown_zone(zones, name, error);
	enum status status = load_zone(zones, name, path, zone, error);
	if (status == STATUS_NONE)
		status = unknown_zone(zones, name, error);
	return status == STATUS_OK ? keep_zone(zones, *zone, error) : status;
}

static enum status find_offset(struct zones *zones, int seconds, const struct zone **zone,
			       struct error *error)
{
	int minutes = abs(seconds) / 60;
	char name[16];
	(void)snprintf(name, sizeof(name), "%c%02d:%02d", seconds < 0 ? '-' : '+', minutes / 60,
		       minutes % 60);
	*zone = find_known(zones, name);
	if (*zone)
		return STATUS_OK;
	*zone = zone_fixed(zones->arena, name, seconds);
	return keep_zone(zones, *zone, error);
}

enum status zones_find(struct zones *zones, const char *name, const struct zone **zone,
		       struct error *error)
{
	size_t length;
	int seconds;
	const struct zone *found = find_known(zones, name);
	enum status status = STATUS_OK;
	if (!found && zones_offset(name, &length, &seconds) && name[length] == '\0')
		status = find_offset(zones, seconds, &found, error);
	else if (!found)
		status = find_file(zones, name, &found, error);
	if (status == STATUS_OK)
		*zone = found;
	return status;
}

/* A file of the system's directory has its name there; another is known by its path. */
static enum status from_path(struct zones *zones, const char *path, const struct zone **zone,
			     struct error *error)
{
	char target[PATH_MAX];
	const char *real = realpath(path, target) ? target : path;
	const char *inside = strstr(real, "/zoneinfo/");
	const char *name = inside ? inside + strlen("/zoneinfo/") : path;
	if (inside && is_name(name) && find_file(zones, name, zone, NULL) == STATUS_OK)
		return STATUS_OK;
	return load_zone(zones, path, path, zone, error);
}

static enum status from_variable(struct zones *zones, const char *value, const struct zone **zone,
				 struct error *error)
{
	struct zone *ruled;
	if (*value == ':')
		value++;
	if (*value == '\0') {
		*zone = zones->utc;
		return STATUS_OK;
	}
	if (*value == '/') {
		enum status status = from_path(zones, value, zone, error);
		return status == STATUS_OK ? status : error_prefix(error, "TZ");
	}
	if (zone_posix(zones->arena, value, value, &ruled, NULL) == STATUS_OK) {
		*zone = ruled;
		return STATUS_OK;
	}
	return zones_find(zones, value, zone, error) == STATUS_OK ? STATUS_OK
								  : error_prefix(error, "TZ");
}

enum status zones_system(struct zones *zones, const struct zone **zone, struct error *error)
{
	const char *variable = getenv("TZ");
	if (variable)
		return from_variable(zones, variable, zone, error);
	enum status status = from_path(zones, "/etc/localtime", zone, error);
	if (status != STATUS_NONE)
		return status;
	*zone = zones->utc;
	return STATUS_OK;
}

/* Names of Rails */

/* Names that Rails has beside those of the IANA database: cities of these zones, */
static const char rails_cities[] =
	"Australia/Adelaide Asia/Almaty Europe/Amsterdam America/Asuncion Europe/Athens "
	"Pacific/Auckland Atlantic/Azores Asia/Baghdad Asia/Baku Asia/Bangkok Europe/Belgrade "
	"Europe/Berlin America/Bogota Europe/Bratislava Australia/Brisbane Europe/Brussels "
	"Europe/Bucharest Europe/Budapest America/Argentina/Buenos_Aires Africa/Cairo "
	"Australia/Canberra America/Caracas Africa/Casablanca America/Chihuahua "
	"Asia/Chongqing Europe/Copenhagen Australia/Darwin Asia/Dhaka Europe/Dublin "
	"Pacific/Fiji Pacific/Guam Africa/Harare Europe/Helsinki Australia/Hobart "
	"Asia/Hong_Kong Asia/Irkutsk Europe/Istanbul Asia/Jakarta Asia/Jerusalem Asia/Kabul "
	"Europe/Kaliningrad Asia/Kamchatka Asia/Karachi Asia/Kathmandu Asia/Kolkata "
	"Asia/Krasnoyarsk Asia/Kuala_Lumpur Asia/Kuwait Europe/Kyiv America/La_Paz "
	"America/Lima Europe/Lisbon Europe/Ljubljana Europe/London Europe/Madrid Asia/Magadan "
	"America/Mazatlan Australia/Melbourne America/Mexico_City Europe/Minsk "
	"Africa/Monrovia America/Monterrey America/Montevideo Europe/Moscow Asia/Muscat "
	"Africa/Nairobi Asia/Novosibirsk Europe/Paris Australia/Perth Pacific/Port_Moresby "
	"Europe/Prague America/Puerto_Rico Europe/Riga Asia/Riyadh Europe/Rome Europe/Samara "
	"America/Santiago Europe/Sarajevo Asia/Seoul Asia/Singapore Europe/Skopje "
	"Europe/Sofia Asia/Srednekolymsk Europe/Stockholm Australia/Sydney Asia/Taipei "
	"Europe/Tallinn Asia/Tashkent Asia/Tbilisi Asia/Tehran America/Tijuana Asia/Tokyo "
	"Asia/Ulaanbaatar Asia/Urumqi Europe/Vienna Europe/Vilnius Asia/Vladivostok "
	"Europe/Volgograd Europe/Warsaw Asia/Yakutsk Asia/Yerevan Europe/Zagreb Europe/Zurich";

/* and others. */
static const struct {
	const char *name, *zone;
} rails_zones[] = {
	{ "Abu Dhabi", "Asia/Muscat" },
	{ "Alaska", "America/Juneau" },
	{ "American Samoa", "Pacific/Pago_Pago" },
	{ "Arizona", "America/Phoenix" },
	{ "Astana", "Asia/Almaty" },
	{ "Atlantic Time (Canada)", "America/Halifax" },
	{ "Beijing", "Asia/Shanghai" },
	{ "Bern", "Europe/Zurich" },
	{ "Brasilia", "America/Sao_Paulo" },
	{ "Cape Verde Is.", "Atlantic/Cape_Verde" },
	{ "Central America", "America/Guatemala" },
	{ "Central Time (US & Canada)", "America/Chicago" },
	{ "Chatham Is.", "Pacific/Chatham" },
	{ "Chennai", "Asia/Kolkata" },
	{ "Eastern Time (US & Canada)", "America/New_York" },
	{ "Edinburgh", "Europe/London" },
	{ "Ekaterinburg", "Asia/Yekaterinburg" },
	{ "Georgetown", "America/Guyana" },
	{ "Greenland", "America/Nuuk" },
	{ "Guadalajara", "America/Mexico_City" },
	{ "Hanoi", "Asia/Bangkok" },
	{ "Hawaii", "Pacific/Honolulu" },
	{ "Indiana (East)", "America/Indiana/Indianapolis" },
	{ "International Date Line West", "Etc/GMT+12" },
	{ "Islamabad", "Asia/Karachi" },
	{ "Marshall Is.", "Pacific/Majuro" },
	{ "Mid-Atlantic", "Atlantic/South_Georgia" },
	{ "Midway Island", "Pacific/Midway" },
	{ "Mountain Time (US & Canada)", "America/Denver" },
	{ "Mumbai", "Asia/Kolkata" },
	{ "New Caledonia", "Pacific/Noumea" },
	{ "New Delhi", "Asia/Kolkata" },
	{ "Newfoundland", "America/St_Johns" },
	{ "Nuku'alofa", "Pacific/Tongatapu" },
	{ "Osaka", "Asia/Tokyo" },
	{ "Pacific Time (US & Canada)", "America/Los_Angeles" },
	{ "Pretoria", "Africa/Johannesburg" },
	{ "Quito", "America/Lima" },
	{ "Rangoon", "Asia/Yangon" },
	{ "Samoa", "Pacific/Apia" },
	{ "Sapporo", "Asia/Tokyo" },
	{ "Saskatchewan", "America/Regina" },
	{ "Solomon Is.", "Pacific/Guadalcanal" },
	{ "Sri Jayawardenepura", "Asia/Colombo" },
	{ "St. Petersburg", "Europe/Moscow" },
	{ "Tokelau Is.", "Pacific/Fakaofo" },
	{ "Wellington", "Pacific/Auckland" },
	{ "West Central Africa", "Africa/Algiers" },
};

/* Is it the last part of the zone's name, which has no spaces? */
static bool is_city(const char *zone, size_t length, const char *name)
{
	const char *end = zone + length;
	const char *part = (const char *)memrchr(zone, '/', length) + 1;
	for (; part < end && *name == (*part == '_' ? ' ' : *part); part++)
		name++;
	return part == end && *name == '\0';
}

static bool find_city(const char *name, char zone[NAME_MAXIMUM + 1])
{
	for (const char *at = rails_cities; *at;) {
		size_t length = strcspn(at, " ");
		if (is_city(at, length, name)) {
			(void)snprintf(zone, NAME_MAXIMUM + 1, "%.*s", (int)length, at);
			return true;
		}
		at += length + (at[length] == ' ');
	}
	return false;
}

enum status zones_find_setting(struct zones *zones, const char *name, const struct zone **zone,
			       struct error *error)
{
	char city[NAME_MAXIMUM + 1];
	for (size_t i = 0; i < sizeof(rails_zones) / sizeof(rails_zones[0]); i++)
		if (strcmp(rails_zones[i].name, name) == 0)
			return zones_find(zones, rails_zones[i].zone, zone, error);
	return zones_find(zones, find_city(name, city) ? city : name, zone, error);
}
