/* What the leader of a deployment writes. */
#include "queue/findings/kept.h"
#include "queue/findings/leader.h"
#include "tests/fault/scene.h"

/* An attempt whose end is unknown may have taken it: then it is taken again. */
static enum status run_take(struct scene *scene, struct error *error)
{
	struct leader leader;
	int64_t epoch;
	enum status status = leader_read(scene->db, scene->test->arena, &leader, error);

	return status == STATUS_OK ? leader_take(scene->db, "victim", &leader, &epoch, error)
				   : status;
}

EFFECT(count_leaders, test_query_int(scene->test->url, "SELECT count(*) FROM dray_leaders WHERE "
						       "name = 'victim' AND epoch > 0"))

static void lead(struct scene *scene)
{
	const struct leader nobody = { .name = "", .over = true };
	int64_t epoch;

	must(leader_take, scene->db, "victim", &nobody, &epoch);
	assert_int_equal(epoch, 1);
	sql_do(scene, "UPDATE dray_leaders SET ends_at = '2020-01-01 00:00:00'");
}

RUN(run_renew, leader_renew(scene->db, 1, error))
EFFECT(count_renewed, test_query_int(scene->test->url, "SELECT count(*) FROM dray_leaders WHERE "
						       "ends_at > '2020-01-02 00:00:00'"))

static const struct kept late = {
	.name = "queue_late", .subject = "a", .queue = "a", .since = 1, .text = "", .advice = ""
};

RUN(run_begin, kept_begin(scene->db, 1, &late, error))
EFFECT(count_begun, test_query_int(scene->test->url, "SELECT count(*) FROM dray_findings"))

static void begin(struct scene *scene)
{
	lead(scene);
	must(kept_begin, scene->db, 1, &late);
}

static struct kept read_it(struct scene *scene)
{
	struct kept kept = late;

	kept.id = test_query_int(scene->test->url, "SELECT COALESCE(MAX(id), 0) FROM "
						   "dray_findings");
	kept.told = true;
	return kept;
}

static enum status run_mark(struct scene *scene, struct error *error)
{
	const struct kept kept = read_it(scene);

	return kept_mark(scene->db, 1, &kept, error);
}

EFFECT(count_told,
       test_query_int(scene->test->url, "SELECT count(*) FROM dray_findings WHERE told"))

static enum status run_forget(struct scene *scene, struct error *error)
{
	const struct kept kept = read_it(scene);

	return kept_forget(scene->db, 1, &kept, error);
}

EFFECT(count_forgotten, 1 - count_begun(scene))

static const struct verb verbs[] = {
	{ "take the lead", "leader_take", 1, NULL, run_take, count_leaders },
	{ "lead on", "leader_renew", 1, lead, run_renew, count_renewed },
	{ "a finding begins", "finding_begin", 1, lead, run_begin, count_begun },
	{ "a finding was told", "finding_mark", 1, begin, run_mark, count_told },
	{ "a finding is forgotten", "finding_forget", 1, begin, run_forget, count_forgotten },
};

const struct verbs finding_verbs = VERBS(verbs);
