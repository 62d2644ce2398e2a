# Random schedules with what fugit, the parser that Solid Queue uses, makes of them:
#
#     ruby [-I FUGIT/lib -I RAABRO/lib -I ET-ORBI/lib] schedules.rb COUNT
#     ruby [...] schedules.rb <schedules.txt >new    the runs of these, computed again
#
# A line is a schedule, an instant, and the next runs after it, tab-separated; "-" when Solid Queue
# refuses the schedule. The same seed gives the same schedules: schedules.txt has 500 of the first
# 1,500, chosen so that each word, form of a phrase, zone and branch of our reader is among them that
# the 1,500 reach. The gate rails has all of them made, and more.
require "fugit"

R = Random.new(20261122)
def pick(list)
	list[R.rand(list.size)]
end
def number(low, high)
	low + R.rand(high - low + 1)
end

ZONES = [nil, nil, nil, "UTC", "Europe/Madrid", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata",
         "Australia/Lord_Howe", "Pacific/Auckland", "Africa/Cairo", "Asia/Tokyo", "+09:00", "-03:30"]
MONTHS = %w[jan feb mar apr may jun jul aug sep oct nov dec]
DAYS = %w[sun mon tue wed thu fri sat]
FULL = %w[sunday monday tuesday wednesday thursday friday saturday]

def field(low, high, names = nil)
	one = -> { n = number(low, high); names && R.rand(2) == 0 ? names[(n - low) % names.size] : n.to_s }
	case R.rand(12)
	when 0..3 then "*"
	when 4, 5, 6 then one.call
	when 7 then "*/#{number(1, [high, 30].min)}"
	when 8 then "#{one.call}-#{one.call}"
	when 9 then "#{number(low, high)}-#{number(low, high)}/#{number(1, 9)}"
	when 10 then Array.new(number(2, 4)) { one.call }.join(",")
	else "#{number(low, high)}/#{number(1, 20)}"
	end
end

def month_day
	case R.rand(8)
	when 0 then pick(%w[L last -1 -2 -7-L 25-L 1,L])
	when 1..4 then "*"
	else field(1, 31)
	end
end

def weekday
	case R.rand(10)
	when 0 then "#{pick(DAYS)}##{pick([1, 2, 3, 4, 5, -1, -2, 'L'])}"
	when 1 then "#{pick(DAYS)}%#{number(2, 5)}#{pick(['', '+1', '+2'])}"
	when 2 then "#{number(0, 7)}-#{number(0, 7)}"
	when 3..6 then "*"
	else field(0, 6, DAYS)
	end
end

def cron
	fields = [field(0, 59), field(0, 23), month_day, field(1, 12, MONTHS), weekday]
	fields.unshift(field(0, 59)) if R.rand(6) == 0
	fields[-1] += "&" if R.rand(12) == 0 && fields[-1] != "*"
	[*fields, pick(ZONES)].compact.join(" ")
end

def time
	pick(["noon", "midnight", "#{number(0, 23)}", "#{number(1, 12)}am", "#{number(1, 12)}pm",
	      format("%d:%02d", number(0, 23), number(0, 59)), "#{number(1, 12)}:#{number(10, 59)}pm",
	      "five thirty", "eleven pm"])
end

def phrase
	words = pick([
		-> { "every #{number(1, 59)} #{pick(%w[seconds minutes hours days months])}" },
		-> { "every #{pick(%w[second minute hour day week month year weekday])}" },
		-> { "every day at #{time}" },
		-> { "every #{pick(FULL)} at #{time}" },
		-> { "every #{pick(FULL)} and #{pick(FULL)} at #{time}" },
		-> { "every weekday at #{time}" },
		-> { "at #{time} every day" },
		-> { "#{pick(FULL)} to #{pick(FULL)} at #{time}" },
		-> { "every #{pick(DAYS)},#{pick(DAYS)} at #{time}" },
		-> { "every #{pick(%w[1st 2nd 3rd 10th 15th 28th 31st first last])} of the month at #{time}" },
		-> { "on the #{pick(%w[1st 5th])} and #{pick(%w[15th 20th])} at #{time}" },
		-> { "every day at #{time} and #{time}" },
		-> { "every hour at minute #{number(0, 59)}" },
		-> { "every hour at minute #{number(0, 29)} and #{number(30, 59)}" },
		-> { "every hour from #{number(6, 10)}am to #{number(1, 9)}pm" },
		-> { "every #{number(2, 30)} minutes from #{number(0, 11)} to #{number(12, 23)}" },
		-> { "every day from the #{number(20, 25)}th to the last" },
		-> { "every #{number(2, 30)} minutes starting at minute #{number(1, 9)}" },
		-> { "#{pick(%w[@hourly @daily @midnight @noon @weekly @monthly @yearly @annually])}" },
	]).call
	[words, R.rand(3) == 0 ? pick(ZONES) : nil].compact.join(" ")
end

# As Solid Queue reads a task's schedule: one cron expression, in UTC unless it names a zone.
def model(text)
	parsed = Fugit.parse(text, multi: :fail)
	return nil unless parsed.instance_of?(Fugit::Cron)
	parsed.zone ? parsed : Fugit.parse("#{parsed.to_cron_s} UTC", multi: :fail)
rescue ArgumentError
	nil
end

def runs(cron, from)
	at = from
	Array.new(4) { at = Time.at(cron.next_time(at).to_i).utc }.map { |t| t.strftime("%FT%TZ") }
rescue RuntimeError # it looked for too long
	nil
end

# Changes of the clocks are among the beginnings.
BEGINNINGS = %w[2026-03-08T05:00:00Z 2026-03-28T20:00:00Z 2026-10-24T20:00:00Z 2026-11-01T03:00:00Z
                2027-02-27T12:34:56Z 2027-12-31T23:59:59Z 2024-02-28T00:00:00Z 2026-04-04T12:00:00Z]

def line(text, from)
	found = model(text)
	times = found ? runs(found, from) : ["-"]
	times && [text, from.strftime("%FT%TZ"), times.join(" ")].join("\t")
end

$stdout.sync = true
if ARGV.empty?
	$stdin.each_line { |old| puts line(old.split("\t")[0], Time.iso8601(old.split("\t")[1])) }
else
	seen = {}
	while seen.size < ARGV[0].to_i
		text = seen.size % 3 == 0 ? phrase : cron
		next if seen[text]
		made = line(text, Time.iso8601(pick(BEGINNINGS)))
		puts seen[text] = made if made
	end
end
