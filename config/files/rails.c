/*
 * The database of a Rails application, from its config/database.yml, as one URL.
 *
 * Rails has a connection in many keys, dray has it in one text: what the driver knows under Rails'
 * name becomes an option behind the "?". What belongs to other environments and databases is not
 * looked at, as only Ruby may be able to read it. What only Ruby could know is never guessed: it is
 * reported, with the variable that says it instead.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/text/parse.h"
#include "common/text/text.h"
#include "config/files/reader.h"

/* One database of the environment in a Rails application's config/database.yml. */
struct rails_entry {
	const char *name;        /* "production.queue" */
	const char *database;    /* "queue"; "primary" where the environment has but one */
	const struct node *node; /* its keys, or its URL */
	struct place place;
};

/* The URL, from the keys that Rails knows */

/* Keys that reach the driver under their own names; it knows what Rails means by them. */
static const char postgresql_keys[] =
	"application_name channel_binding connect_timeout fallback_application_name "
	"gssencmode hostaddr keepalives keepalives_count keepalives_idle "
	"keepalives_interval krbsrvname load_balance_hosts options passfile "
	"prepared_statements require_auth requirepeer schema_search_path service "
	"ssl_max_protocol_version ssl_min_protocol_version sslcert sslcrl sslcrldir "
	"sslkey sslmode sslnegotiation sslpassword sslrootcert sslsni "
	"target_session_attrs tcp_user_timeout";
static const char mysql_keys[] =
	"connect_timeout socket ssl ssl_ca ssl_cert ssl_key ssl_mode sslca sslcert sslkey "
	"sslverify";

/* What the URL itself is made of. */
static const char part_keys[] = "adapter url username user password database host port";

/* What only a URL says behind its "?": dray's own options, and those of libpq. */
static const char url_keys[] = "charset client_encoding dbname gsslib host mode password port "
			       "replication ssl ssl-ca ssl-cert ssl-key ssl-mode sslcompression "
			       "synchronous user";

static const struct adapter {
	const char *name; /* and the scheme of a URL */
	const char *keys;
	bool file;
} adapters[] = {
	{ "postgresql", postgresql_keys, false },
	{ "postgres", postgresql_keys, false },
	{ "postgis", postgresql_keys, false },
	{ "mysql2", mysql_keys, false },
	{ "mysql", mysql_keys, false },
	{ "trilogy", mysql_keys, false },
	{ "sqlite3", "", true },
	{ "sqlite", "", true },
};

static const char advice[] =
	"; DRAY_DATABASE_URL, or database.url in config/dray.yml, says what only Ruby knows";

/* A URL in parts as they are written in one; NULL = absent. */
struct parts {
	const struct adapter *adapter;
	const char *user, *password, *host, *port, *path, *query;
};

/* The text of a scalar; NULL: it has none, reported if it should. */
static const char *text_of(struct reader *reader, const struct rails_entry *entry, const char *key,
			   const struct node *node)
{
	if (!node || node_is_null(node))
		return NULL;
	if (node->kind != NODE_SCALAR)
		report_error(reader->report, node->place, "%s.%s is %s, expected text", entry->name,
			     key, node_kind_name(node));
	else if (node->fault)
		report_error(reader->report, node->fault->place, "%s%s", node->fault->fault,
			     advice);
	else if (*node->text)
		return node->text;
	return NULL;
}

static const char *value_of(struct reader *reader, const struct rails_entry *entry, const char *key)
{
	return text_of(reader, entry, key, node_get(entry->node, key));
}

/* A slash stays one in paths alone. */
static const char *encode(struct arena *arena, const char *text, bool path)
{
	struct text out = { 0 };
	for (; text && *text; text++) {
		unsigned char byte = (unsigned char)*text;
		if (isalnum(byte) || strchr("._~-", byte) || (path && byte == '/'))
			text_append(&out, text, 1);
		else
			text_printf(&out, "%%%02X", byte);
	}
	return text ? text_take(&out, arena) : NULL;
}

static const struct adapter *find_adapter(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(adapters) / sizeof(adapters[0]); i++)
		if (strlen(adapters[i].name) == length &&
		    strncasecmp(adapters[i].name, name, length) == 0)
			return &adapters[i];
	return NULL;
}

static const char *slice(struct arena *arena, const char *from, const char *to)
{
	return to > from ? arena_strndup(arena, from, (size_t)(to - from)) : NULL;
}

/* [user[:password]@][host[:port]][/path][?query]: what is wrong with it is found out later. */
static void split(struct arena *arena, const char *text, struct parts *parts)
{
	const char *end = text + strcspn(text, "/?#");
	const char *at = memrchr(text, '@', (size_t)(end - text));
	if (at) {
		const char *colon = memchr(text, ':', (size_t)(at - text));
		parts->user = slice(arena, text, colon ? colon : at);
		parts->password = colon ? slice(arena, colon + 1, at) : NULL;
		text = at + 1;
	}
	const char *colon = memrchr(text, ':', (size_t)(end - text));
	if (colon && memchr(colon, ']', (size_t)(end - colon)))
		colon = NULL;
	parts->host = slice(arena, text, colon ? colon : end);
	parts->port = colon ? slice(arena, colon + 1, end) : NULL;
	const char *query = strchrnul(end, '?');
	parts->path = slice(arena, end + (*end == '/'), query);
	parts->query = *query ? query + 1 : NULL;
}

/* What the URL does not say is taken from the keys beside it. */
static void fill(struct reader *reader, const struct rails_entry *entry, struct parts *parts)
{
	struct arena *arena = reader->arena;
	if (!parts->user)
		parts->user = encode(arena, value_of(reader, entry, "username"), false);
	if (!parts->user)
		parts->user = encode(arena, value_of(reader, entry, "user"), false);
	if (!parts->password)
		parts->password = encode(arena, value_of(reader, entry, "password"), false);
	if (!parts->host)
		parts->host = encode(arena, value_of(reader, entry, "host"), false);
	if (!parts->port)
		parts->port = encode(arena, value_of(reader, entry, "port"), false);
	if (!parts->path)
		parts->path = encode(arena, value_of(reader, entry, "database"), false);
}

static bool has_option(const char *query, const char *key)
{
	size_t length = strlen(key);
	while (query && *query) {
		if (strncmp(query, key, length) == 0 && query[length] == '=')
			return true;
		query = strchrnul(query, '&');
		query += *query == '&';
	}
	return false;
}

/* The clients of Rails use the socket only for the host that they are on. */
static bool is_idle(const struct parts *parts, const char *key)
{
	return strcmp(key, "socket") == 0 && parts->host &&
	       strcasecmp(parts->host, "localhost") != 0;
}

static void add_options(struct reader *reader, const struct rails_entry *entry,
			const struct parts *parts, struct text *url)
{
	const struct node *node = entry->node;
	const char *separator = parts->query ? "&" : "?";
	for (size_t i = 0; node->kind == NODE_MAPPING && i < node->count; i++) {
		const struct node_pair *pair = &node->pairs[i];
		const char *key = pair->key->text;
		bool passed = name_listed(parts->adapter->keys, key);
		if (passed && !is_idle(parts, key) && !has_option(parts->query, key)) {
			const char *text = text_of(reader, entry, key, pair->value);
			if (text)
				text_printf(url, "%s%s=%s", separator, key,
					    encode(reader->arena, text, false));
			separator = text ? "&" : separator;
		} else if (!passed && !rails_option(key) && !name_listed(part_keys, key)) {
			report_warning(reader->report, pair->key->place,
				       "%s.%s is not known: dray connects without it", entry->name,
				       key);
		}
	}
}

/* Does anyone know this option? Of what is none the driver says so. */
static bool is_known(const struct adapter *adapter, const char *name, bool is_option)
{
	return !is_option || name_listed(adapter->keys, name) || name_listed(url_keys, name) ||
	       rails_option(name);
}

const char *rails_url(struct reader *reader, struct place place, const char *url)
{
	const struct adapter *adapter = find_adapter(url, strcspn(url, ":"));
	const char *query = strchr(url, '?');
	struct text out = { 0 };
	if (!adapter || !query || strchr(query, '@')) /* which may be the end of a password */
		return url;
	text_append(&out, url, (size_t)(query - url));
	for (char separator = '?'; *query; query += strcspn(query, "&")) {
		const size_t length = strcspn(++query, "&");
		const size_t name_length = strcspn(query, "=&");
		const char *name = arena_strndup(reader->arena, query, name_length);
		if (is_known(adapter, name, query[name_length] == '=')) {
			text_printf(&out, "%c%.*s", separator, (int)length, query);
			separator = '&';
		} else {
			report_warning(reader->report, place,
				       "the URL's option %s is not known: dray connects without it",
				       quoted(reader->arena, name));
		}
	}
	return text_take(&out, reader->arena);
}

/* The part behind its mark, if it is there. */
static void add_part(struct text *url, const char *mark, const char *part)
{
	if (part)
		text_printf(url, "%s%s", mark, part);
}

static void compose(struct reader *reader, const struct rails_entry *entry, struct parts *parts,
		    struct text *url)
{
	fill(reader, entry, parts);
	if (!parts->path && !node_get(entry->node, "database"))
		report_error(reader->report, entry->place, "%s names no database", entry->name);
	add_part(url, "", parts->adapter->name);
	add_part(url, "://", parts->user ? parts->user : "");
	add_part(url, ":", parts->password);
	add_part(url, parts->user || parts->password ? "@" : "", parts->host ? parts->host : "");
	add_part(url, ":", parts->port);
	add_part(url, "/", parts->path ? parts->path : "");
	add_part(url, "?", parts->query);
	add_options(reader, entry, parts, url);
}

/* A path is the application's, and so is the folder in which dray runs. */
static void compose_file(struct reader *reader, const struct rails_entry *entry,
			 struct parts *parts, struct text *url)
{
	const char *path = value_of(reader, entry, "database");
	const char *root = reader->config->root;
	if (path ? strncmp(path, "file:", 5) == 0 : !node_get(entry->node, "database"))
		report_error(reader->report, entry->place,
			     "%s names no file, expected database: PATH", entry->name);
	else if (!path)
		return;
	else if (*path == '/' || strcmp(root, ".") == 0)
		text_printf(url, "sqlite3:%s", encode(reader->arena, path, true));
	else
		text_printf(url, "sqlite3:%s/%s", encode(reader->arena, root, true),
			    encode(reader->arena, path, true));
	add_options(reader, entry, parts, url);
}

/* NAME_DATABASE_URL comes before DATABASE_URL, and that before the file's url, as in Rails. */
static const char *said_url(struct reader *reader, struct rails_entry *entry)
{
	char *name = arena_printf(reader->arena, "%s_DATABASE_URL", entry->database);
	for (char *c = name; *c; c++)
		*c = (char)(toupper)((unsigned char)*c);
	const char *const variables[] = {
		name, strcmp(entry->database, "queue") != 0 ? "DATABASE_URL" : NULL, NULL
	};
	for (size_t i = 0; variables[i]; i++) {
		/* No other thread runs yet. NOLINTNEXTLINE(concurrency-mt-unsafe) */
		const char *url = getenv(variables[i]);
		if (url && *url) {
			entry->place = (struct place){ .file = variables[i] };
			return url;
		}
	}
	if (entry->node->kind == NODE_SCALAR)
		return text_of(reader, entry, "url", entry->node);
	return value_of(reader, entry, "url");
}

/* `known`: why there is none has been reported. */
static void refuse_adapter(struct reader *reader, const struct rails_entry *entry,
			   const char *adapter, bool known)
{
	static const char expected[] = "expected postgresql, postgis, mysql2, trilogy or sqlite3";
	if (adapter)
		report_error(reader->report, entry->place, "%s has the adapter %s, %s", entry->name,
			     quoted(reader->arena, adapter), expected);
	else if (!known)
		report_error(reader->report, entry->place, "%s has no adapter, %s", entry->name,
			     expected);
}

/*
 * The database as a URL; what is wrong is reported, and NULL when there is nothing to make one of.
 * The entry's place becomes that of a variable that names the URL.
 */
static const char *entry_url(struct reader *reader, struct rails_entry *entry)
{
	struct text out = { 0 };
	struct parts parts = { 0 };
	const size_t before = report_errors(reader->report);
	const char *url = said_url(reader, entry);
	if (report_errors(reader->report) > before)
		return NULL; /* what else is missing may stand in the URL */
	url = url ? rails_url(reader, entry->place, url) : NULL;
	const char *adapter = url ? url : value_of(reader, entry, "adapter");
	size_t length = url ? strcspn(url, ":") : adapter ? strlen(adapter) : 0;
	parts.adapter = length ? find_adapter(adapter, length) : NULL;
	bool whole = url && (!parts.adapter || parts.adapter->file ||
			     strncmp(url + length, "://", 3) != 0);
	if (whole)
		return arena_strdup(reader->arena, url); /* nothing beside it belongs to it */
	if (!parts.adapter) {
		refuse_adapter(reader, entry, adapter, report_errors(reader->report) > before);
		return NULL;
	}
	if (url)
		split(reader->arena, url + length + 3, &parts);
	if (parts.adapter->file)
		compose_file(reader, entry, &parts, &out);
	else
		compose(reader, entry, &parts, &out);
	return text_take(&out, reader->arena);
}

/* Which of the databases has the queue */

static bool has_databases(const struct node *node)
{
	for (size_t i = 0; i < node->count; i++)
		if (node->pairs[i].value->kind != NODE_MAPPING)
			return false;
	return node->kind == NODE_MAPPING && node->count > 0;
}

static const char *names(struct reader *reader, const struct node *node)
{
	const char *list = "";
	for (size_t i = 0; i < node->count && i < SETTINGS_MAXIMUM; i++)
		list = arena_printf(reader->arena, "%s%s%s", list, i ? ", " : "",
				    quoted(reader->arena, node->pairs[i].key->text));
	return list;
}

/* The pair of the environment, or NULL, reported. */
static const struct node_pair *find_environment(struct reader *reader, const struct node *root)
{
	const char *environment = reader->config->environment;
	size_t at = root->kind == NODE_MAPPING ? node_find(root, environment) : root->count;
	if (at < root->count && !node_is_null(root->pairs[at].value))
		return &root->pairs[at];
	report_error(reader->report, root->place, "has no database for the environment %s, only %s",
		     quoted(reader->arena, environment),
		     root->kind == NODE_MAPPING ? names(reader, root) : node_kind_name(root));
	return NULL;
}

static struct rails_entry make_entry(struct reader *reader, const struct node_pair *environment,
				     const struct node_pair *pair)
{
	const char *name = environment->key->text;
	if (pair != environment)
		name = arena_printf(reader->arena, "%s.%s", name, pair->key->text);
	return (struct rails_entry){ name, pair == environment ? "primary" : pair->key->text,
				     pair->value, pair->key->place };
}

static bool choose(struct reader *reader, const struct node *root, struct rails_entry *entry)
{
	const struct node_pair *environment = find_environment(reader, root);
	if (!environment)
		return false;
	const struct node *databases = environment->value;
	const struct node_pair *pair = environment;
	if (has_databases(databases)) {
		size_t at = node_find(databases, "queue");
		if (at == databases->count)
			at = databases->count == 1 ? 0 : node_find(databases, "primary");
		pair = at < databases->count ? &databases->pairs[at] : NULL;
	}
	if (pair)
		*entry = make_entry(reader, environment, pair);
	else
		report_error(reader->report, environment->key->place,
			     "%s has the databases %s, expected one that is called queue or "
			     "primary, or database.url in config/dray.yml",
			     environment->key->text, names(reader, databases));
	return pair != NULL;
}

const char *rails_database(struct reader *reader, const struct node *root)
{
	struct rails_entry entry = { 0 };
	return choose(reader, root, &entry) ? entry.database : NULL;
}

void rails_read(struct reader *reader, const struct node *root)
{
	struct rails_entry entry = { 0 };
	size_t before = report_errors(reader->report);
	if (!choose(reader, root, &entry))
		return;
	const char *url = entry_url(reader, &entry);
	if (!url || report_errors(reader->report) != before)
		return;
	reader->config->database.url = url;
	reader->config->database_entry = entry.name;
	*instance_place(&reader->config->origins->list[0], "url") = entry.place;
}
