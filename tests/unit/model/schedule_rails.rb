# Computes the occurrences of tests/unit/schedule_rails.txt again with fugit, the parser that Solid Queue uses:
#
#     ruby [-I FUGIT/lib -I RAABRO/lib -I ET-ORBI/lib] schedule_rails.rb <schedule_rails.txt >new
#
# A line is the zone where the schedule names none, the schedule, what Rails is to read (schedule_rails),
# and the first three occurrences of that, tab-separated. To add one write its first three columns, the third
# as schedule_rails makes it, or "none". A line of "none" ends with "refused" when fugit reads no schedule
# in the text itself; when it does, it means something else there, and the line is a mistake.
require "fugit"

# As Solid Queue reads a task's schedule: one expression, in UTC unless it names a zone.
def model(text)
  parsed = Fugit.parse(text, multi: :fail)
  return nil unless parsed.instance_of?(Fugit::Cron)
  parsed.zone ? parsed : Fugit.parse("#{parsed.to_cron_s} Etc/UTC", multi: :fail)
rescue ArgumentError
  nil
end

def occurrences(cron)
  at = Time.utc(2026)
  Array.new(3) { at = Time.at(cron.next_time(at).to_i).utc }.map(&:to_i)
end

$stdin.each_line(chomp: true) do |line|
  next puts(line) if line.start_with?("#")
  zone, text, rails = line.split("\t")
  cron = model(rails == "none" ? text : rails)
  answer = rails == "none" ? [cron ? "read" : "refused"] : cron ? occurrences(cron) : ["refused"]
  puts [zone, text, rails, *answer].join("\t")
end
