/* Arguments of every kind, both ways. */
#include "tests/rails/shared.h"

/* Every word of it as an effect of its own. */
static const char words_class[] =
	"  ArgJob: {command: [sh, -c, 'for word; do echo \"dray $word\"; done >>effects', -, "
	"\"{*}\", \"{owner}\", \"{opts}\"]}\n";

static const char arguments[] =
	"ArgJob, Person.new(1), :daily, Date.new(2024, 1, 31), Time.utc(2024, 1, 31, 12), "
	"Time.utc(2024, 1, 31).in_time_zone(%q(Europe/Madrid)), DateTime.new(2024, 1, 31), "
	"BigDecimal(%q(1.50)), 90.minutes, Person, 1..5, Date.new(2024, 1, 1)...Date.new(2024, 2, "
	"1), "
	"[Person.new(2), { a: :b }, { %q(c) => 2 ** 70 }], { deep: Person.new(3) "
	"}.with_indifferent_access, "
	"queue: %q(dray), owner: Person.new(4), opts: { by: :name, on: [Date.new(2024, 1, 31)] }";

static const char words[] =
	"dray gid://shared/Person/1\n"
	"dray daily\n"
	"dray 2024-01-31\n"
	"dray 2024-01-31T12:00:00.000000000Z\n"
	"dray 2024-01-31T01:00:00.000000000+01:00\n"
	"dray 2024-01-31T00:00:00.000000000+00:00\n"
	"dray 1.5\n"
	"dray 5400\n"
	"dray Person\n"
	"dray 1..5\n"
	"dray 2024-01-01...2024-02-01\n"
	"dray [\"gid://shared/Person/2\",{\"a\":\"b\"},{\"c\":1180591620717411303424}]\n"
	"dray {\"deep\":\"gid://shared/Person/3\"}\n"
	"dray gid://shared/Person/4\n"
	"dray {\"by\":\"name\",\"on\":[\"2024-01-31\"]}\n";

SHARED_CASE(what_ruby_serialised_is_plain_for_a_command)
{
	site_jobs_yml(site, words_class);
	shared_start(site, "[dray]");
	site_await(site, shared_put(site, arguments), JOB_FINISHED);
	assert_string_equal(shared_effects(site), words);
}

/* What a method gets: a hash of texts, keywords, or both beside each other. */
SHARED_CASE(json_is_positional_or_keywords_for_ruby)
{
	pid_t rails = shared_rails_start(site, "[ruby]");

	(void)site_enqueue(site, "RubyJob", "--queue", "ruby", "--json-args", "[1, {\"a\": 2}]",
			   "--json-keywords", "{\"to\": {\"b\": 99999999999999999999}}");
	(void)site_enqueue(site, "PosHashJob", "--queue", "ruby", "--json-args", "[{\"a\": 2}]");
	(void)site_enqueue(site, "KwJob", "--queue", "ruby", "--json-args", "[1]",
			   "--json-keywords", "{\"to\": \"ann\"}");
	(void)site_must(site,
			"{\"class\": \"KwJob\", \"queue\": \"ruby\", \"arguments\": [2, 3], "
			"\"keywords\": {\"to\": null, \"opts\": {\"k\": []}}}\n",
			(const char *[]){ "enqueue", "--bulk", "-", NULL });
	shared_await_effects(site, 4);
	assert_int_equal(shared_effects_of(site, "rails 1 [[1,{\"a\":2}],"
						 "{\"to\":{\"b\":99999999999999999999}}]\n"),
			 1);
	assert_int_equal(shared_effects_of(site, "rails poshash {\"a\""), 1);
	assert_int_equal(shared_effects_of(site, "rails kw [1, nil, \"ann\", {}]"), 1);
	assert_int_equal(shared_effects_of(site, "rails kw [2, 3, nil, {\"k\""), 1);
	site_await_jobs(site, JOB_FINISHED, 4);
	shared_rails_stop(site, rails);
}

SHARED_CASES(arguments, RULE("10", what_ruby_serialised_is_plain_for_a_command),
	     RULE("10", json_is_positional_or_keywords_for_ruby));
