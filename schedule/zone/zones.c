#include "schedule/zone/zones.h"

#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/process.h"
#include "common/text/parse.h"
#include "schedule/plain.h"

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

const char *zones_meant(struct zones *zones, const char *name)
{
	const char *zone = zones_short(name);
	return zone && zones_has(zones, zone) ? zone : offset_meant(zones, name);
}

static const char *nearest_name(struct zones *zones, const char *wanted)
{
	const char *meant = zones_meant(zones, wanted);
	if (meant)
		return meant;
	const char *part = last_part_meant(zones, wanted);
	for (size_t i = 0; i < zones->name_count; i++)
		if (strcasecmp(zones->names[i], wanted) == 0)
			return zones->names[i];
	for (size_t i = 0; i < zones->name_count; i++)
		if (strcasecmp(last_part(zones->names[i]), part) == 0)
			return zones->names[i];
	return nearest_word(wanted, zones->names, zones->name_count);
}

static enum status unknown_zone(struct zones *zones, const char *name, struct error *error)
{
	if (!error)
		return STATUS_INVALID;
	if (!zones->names)
		list_names(zones);
	struct arena *arena = arena_new();
	const char *nearest = nearest_name(zones, name);
	const char *plain = plain_text(arena, name, strlen(name));
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
static enum status load(struct zones *zones, const char *name, const char *path,
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

static enum status keep(struct zones *zones, const struct zone *zone, struct error *error)
{
	if (zones->count == ZONES_MAXIMUM)
		return error_set(error, STATUS_INVALID, "more than %d time zones are in use",
				 ZONES_MAXIMUM);
	zones->list[zones->count++] = zone;
	return STATUS_OK;
}

static const struct zone *known(const struct zones *zones, const char *name)
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
	return known(zones, name) || find_path(zones, name, path);
}

static enum status find_file(struct zones *zones, const char *name, const struct zone **zone,
			     struct error *error)
{
	char path[PATH_MAX];
	if (!find_path(zones, name, path))
		return unknown_zone(zones, name, error);
	enum status status = load(zones, name, path, zone, error);
	if (status == STATUS_NONE)
		status = unknown_zone(zones, name, error);
	return status == STATUS_OK ? keep(zones, *zone, error) : status;
}

static enum status find_offset(struct zones *zones, int seconds, const struct zone **zone,
			       struct error *error)
{
	int minutes = abs(seconds) / 60;
	char name[16];
	(void)snprintf(name, sizeof(name), "%c%02d:%02d", seconds < 0 ? '-' : '+', minutes / 60,
		       minutes % 60);
	*zone = known(zones, name);
	if (*zone)
		return STATUS_OK;
	*zone = zone_fixed(zones->arena, name, seconds);
	return keep(zones, *zone, error);
}

enum status zones_find(struct zones *zones, const char *name, const struct zone **zone,
		       struct error *error)
{
	size_t length;
	int seconds;
	const struct zone *found = known(zones, name);
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
	return load(zones, path, path, zone, error);
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
