#include "queue/processes/servers.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/order.h"
#include "common/text/text.h"
#include "db/operations.h"
#include "queue/look/look.h"

static const char *text_member(struct arena *arena, const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? arena_strdup(arena, text) : NULL;
}

/* 0 when there is none. One that cannot be read is as old as the process. */
static int64_t time_member(const struct server *server, const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	int64_t instant = 0;

	return text && clock_parse(text, &instant) != STATUS_OK ? server->row.created_at : instant;
}

/* NULL when the metadata has none. */
static const char **read_names(struct arena *arena, const json_t *list, size_t *count)
{
	size_t most = json_array_size(list);

	if (!json_is_array(list))
		return NULL;
	const char **names = arena_array(arena, most + 1, sizeof(*names));
	for (size_t i = 0; i < most; i++) {
		const char *name = json_string_value(json_array_get(list, i));
		if (name)
			names[(*count)++] = arena_strdup(arena, name);
	}
	return names;
}

static void read_slow(struct arena *arena, const json_t *list, struct server *server)
{
	server->slow_count = json_array_size(list);
	server->slow_jobs = arena_array(arena, server->slow_count + 1, sizeof(int64_t));
	for (size_t i = 0; i < server->slow_count; i++)
		server->slow_jobs[i] = json_integer_value(json_array_get(list, i));
}

static void read_promises(struct arena *arena, json_t *object, struct server *server)
{
	struct promise *list = arena_array(arena, json_object_size(object) + 1, sizeof(*list));
	const char *queue;
	json_t *value;

	json_object_foreach(object, queue, value)
	{
		const json_int_t span = json_integer_value(value);
		if (*queue != '\0' && span > 0 && span <= INT64_MAX / CLOCK_MILLISECOND)
			list[server->promise_count++] =
				(struct promise){ arena_strdup(arena, queue),
						  span * CLOCK_MILLISECOND };
	}
	server->promises = server->promise_count > 0 ? list : NULL;
}

/* Reads what is understood of the process's metadata. */
static void read_metadata(struct arena *arena, struct server *server)
{
	json_t *root = server->row.metadata ? json_loads(server->row.metadata, 0, NULL) : NULL;

	server->given_up = text_member(arena, root, "given_up");
	server->quiet = json_is_true(json_object_get(root, "quiet"));
	server->held = json_is_true(json_object_get(root, "held"));
	server->leaving =
		read_names(arena, json_object_get(root, "leaving"), &server->leaving_count);
	server->leaving_since = time_member(server, root, "leaving_since");
	server->trouble = text_member(arena, root, "trouble");
	server->trouble_since = time_member(server, root, "trouble_since");
	server->outdated_since = time_member(server, root, "outdated_since");
	read_promises(arena, json_object_get(root, "late_after"), server);
	server->alarms = json_is_true(json_object_get(root, "on_alarm"));
	server->expected =
		read_names(arena, json_object_get(root, "expect_hosts"), &server->expected_count);
	if (server_is_worker(server)) {
		server->queues = text_member(arena, root, "queues");
		server->threads = json_integer_value(json_object_get(root, "thread_pool_size"));
		/* One that fails jobs of the classes that it does not know takes them, too. */
		const char *unknown = text_member(arena, root, "unknown_classes");
		if (!unknown || strcmp(unknown, "fail") != 0)
			server->classes = read_names(arena, json_object_get(root, "classes"),
						     &server->class_count);
		server->others = read_names(arena, json_object_get(root, "other_classes"),
					    &server->other_count);
		read_slow(arena, json_object_get(root, "slow_jobs"), server);
	}
	json_decref(root);
}

static void take_leaving(struct servers *servers, const struct server *supervisor)
{
	for (size_t i = 0; i < supervisor->leaving_count; i++)
		for (size_t j = 0; j < servers->count; j++) {
			struct server *server = &servers->list[j];
			if (server->leaving_since == 0 &&
			    strcmp(server->row.name, supervisor->leaving[i]) == 0)
				server->leaving_since = server->row.last_heartbeat_at;
		}
}

enum status servers_read(struct db *db, struct arena *arena, const struct prune *patience,
			 struct servers *servers, struct error *error)
{
	struct process_row *rows;
	enum status status = process_list(db, arena, &rows, &servers->count, error);

	if (status != STATUS_OK)
		return status;
	int64_t now = db_now(db);
	servers->list = arena_array(arena, servers->count + 1, sizeof(*servers->list));
	for (size_t i = 0; i < servers->count; i++) {
		struct server *server = &servers->list[i];
		int64_t silence = now - rows[i].last_heartbeat_at;
		*server = (struct server){ .row = rows[i] };
		read_metadata(arena, server);
		server->silent = process_silent(patience, rows[i].metadata, silence);
		server->paused = rows[i].paused_at != 0;
	}
	for (size_t i = 0; i < servers->count; i++)
		take_leaving(servers, &servers->list[i]);
	return STATUS_OK;
}

bool server_is_worker(const struct server *server)
{
	return strcmp(server->row.kind, "Worker") == 0;
}

bool kind_is_watcher(const char *kind)
{
	return strcmp(kind, WATCHER_KIND) == 0;
}

static bool entry_names(const struct db *db, const char *entry, size_t length, const char *queue)
{
	bool prefix = length > 0 && entry[length - 1] == '*';

	if (prefix)
		length--;
	return (prefix ? strlen(queue) >= length : strlen(queue) == length) &&
	       db_same_name(db, entry, queue, length);
}

bool server_serves(const struct db *db, const struct server *server, const char *queue)
{
	const char *entry = server->queues;

	while (entry) {
		size_t length = strcspn(entry, ",");
		if (entry_names(db, entry, length, queue))
			return true;
		entry = entry[length] ? entry + length + 1 : NULL;
		entry = entry ? entry + strspn(entry, " ") : NULL;
	}
	return false;
}

/* Does `by` serve an entry of its list? */
static bool is_covered(const struct db *db, struct arena *arena, const struct server *server,
		       const struct server *by)
{
	for (const char *entry = server->queues; entry && *entry != '\0';) {
		size_t length = strcspn(entry, ",");
		if (server_serves(db, by, arena_strndup(arena, entry, length)))
			return true;
		entry += length;
		entry += strspn(entry, ", ");
	}
	return false;
}

bool server_shares(const struct db *db, struct arena *arena, const struct server *one,
		   const struct server *other)
{
	return is_covered(db, arena, one, other) || is_covered(db, arena, other, one);
}

bool server_is_here(const struct server *server)
{
	return !server->silent && server->leaving_since == 0;
}

size_t servers_leaving(const struct db *db, const struct servers *servers, const char *queue)
{
	size_t count = 0;

	for (size_t i = 0; i < servers->count; i++)
		count += !servers->list[i].silent && servers->list[i].leaving_since != 0 &&
			 server_serves(db, &servers->list[i], queue);
	return count;
}

size_t servers_of(const struct db *db, const struct servers *servers, const char *queue)
{
	size_t count = 0;

	for (size_t i = 0; i < servers->count; i++)
		count += server_is_here(&servers->list[i]) &&
			 server_serves(db, &servers->list[i], queue);
	return count;
}

bool servers_have(const struct servers *servers, const char *kind)
{
	for (size_t i = 0; i < servers->count; i++)
		if (!servers->list[i].silent && strcmp(servers->list[i].row.kind, kind) == 0)
			return true;
	return false;
}

/* How well an entry names the queue: the longer the better, itself best of all; 0 = not at all. */
static size_t name_rank(const struct db *db, const char *entry, const char *queue)
{
	const size_t length = strlen(entry);

	if (!entry_names(db, entry, length, queue))
		return 0;
	return entry[length - 1] == '*' ? length : SIZE_MAX;
}

static int64_t promised_by(const struct db *db, const struct server *server, const char *queue)
{
	int64_t late_after = 0;
	size_t best = 0;

	for (size_t i = 0; i < server->promise_count; i++) {
		const struct promise *promise = &server->promises[i];
		const size_t rank = name_rank(db, promise->queue, queue);
		if (rank == 0 || rank < best)
			continue;
		/* Two spellings of one name. */
		if (rank > best || promise->late_after < late_after)
			late_after = promise->late_after;
		best = rank;
	}
	return late_after;
}

int64_t servers_promise(const struct db *db, const struct servers *servers, const char *queue)
{
	int64_t strictest = 0;

	for (size_t i = 0; i < servers->count; i++) {
		const struct server *server = &servers->list[i];
		const int64_t promised = server->silent ? 0 : promised_by(db, server, queue);
		if (promised > 0 && (strictest == 0 || promised < strictest))
			strictest = promised;
	}
	return strictest;
}

/* Ready jobs of classes that no worker of their queue knows. */

static size_t unique(const char **names, size_t count)
{
	size_t kept = 0;

	qsort(names, count, sizeof(*names), order_texts);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || strcmp(names[kept - 1], names[i]) != 0)
			names[kept++] = names[i];
	return kept;
}

/* The classes that a worker of the queue knows. Null: it has none, or one that may take any. */
static struct db_value known_classes(const struct db *db, struct arena *arena,
				     const struct servers *servers, const char *queue)
{
	const char **names = NULL;
	size_t count = 0;

	for (size_t i = 0; i < servers->count; i++) {
		const struct server *server = &servers->list[i];
		if (!server_is_here(server) || !server_serves(db, server, queue))
			continue;
		if (!server->classes)
			return P_NULL;
		const char **more =
			arena_array(arena, count + server->class_count + 1, sizeof(*more));
		if (count > 0)
			memcpy(more, names, count * sizeof(*names));
		memcpy(more + count, server->classes, server->class_count * sizeof(*more));
		names = more;
		count = unique(names, count + server->class_count);
	}
	return names ? P_TEXTS(names, count) : P_NULL;
}

static void add_unserved(struct arena *arena, const char *queue, const struct db_rows *rows,
			 struct unserveds *unserveds)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (db_is_null(rows, i, READY_UNKNOWN_CLASS_NAME)) /* of rows without a job */
			continue;
		unserveds->list = arena_extend(arena, unserveds->list, unserveds->count,
					       sizeof(*unserveds->list));
		unserveds->list[unserveds->count++] =
			(struct unserved){ queue, db_text(rows, i, READY_UNKNOWN_CLASS_NAME),
					   db_int(rows, i, READY_UNKNOWN_READY) };
	}
}

enum status unserved_add(struct db *db, struct arena *arena, const struct servers *servers,
			 const char *queue, struct unserveds *unserveds, struct error *error)
{
	const struct db_value names = known_classes(db, arena, servers, queue);
	struct db_rows rows = { 0 };

	if (names.type == DB_NULL)
		return STATUS_OK;
	enum status status =
		db_query(db, arena,
			 DB_CALL(ready_unknown, .queue = P_TEXT(queue), .classes = P_NULL,
				 .others = names, .most = P_INT(UNSERVED_MOST)),
			 &rows, error);
	if (status == STATUS_OK)
		add_unserved(arena, queue, &rows, unserveds);
	return status;
}
