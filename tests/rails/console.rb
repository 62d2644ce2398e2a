# A Rails application that does what it is told: Ruby read from standard input, each piece ended by a
# zero byte, answered by "=" and the result or "!" and the error, ended likewise. It lives as long as
# its standard input is open; then it and all that it has started end at once.
$LOADED_FEATURES << "turbo-rails.rb" # Mission Control wants it; its pages come without
ENV["MCJ"] = "1"
require_relative "app/boot"

SQLite3::ForkSafety.suppress_warnings! if defined?(SQLite3::ForkSafety) # Solid Queue forks as it is
$started = [] # supervisors, each the leader of a group
$files = 0
$return_after = 0
$deadlocks = 0

# Solid Queue ends a job in one transaction and returns its slot in another: $return_after seconds later.
SolidQueue::Job.prepend(Module.new do
  def unblock_next_blocked_job
    sleep($return_after)
    super
  end
end)

# A process that lets the next blocked job in is ended for a deadlock, the first $deadlocks times in a process.
SolidQueue::BlockedExecution.singleton_class.prepend(Module.new do
  def release_one(key)
    ($deadlocks -= 1) < 0 ? super : raise(ActiveRecord::Deadlocked, "a deadlock for the test")
  end
end)

# Solid Queue logs that a recurring task was not enqueued, but not every reason.
ActiveSupport::Notifications.subscribe("enqueue_recurring_task.solid_queue") do |event|
  task, job, skipped, reason, thrown = event.payload.values_at(:task, :active_job_id, :skipped, :enqueue_error, :exception)
  reason ||= thrown&.join(": ") || "of unknown reason"
  SolidQueue.logger.error("not enqueued: task #{task}: error #{reason.lines.join(" ")}") if job.nil? && skipped.nil?
end

# The application's database from now on.
def use(url)
  end_started
  ActiveRecord::Base.establish_connection(url)
  SolidQueue::Record.descendants.each(&:reset_column_information)
  File.write(EFF, "")
  $logged = File.size?(ENV["RLOG"]).to_i
  $return_after = 0
  $deadlocks = 0
end

def schema
  ActiveRecord::Schema.verbose = false
  load "#{GEMS}/#{ENV["SQ_GEM"] || "solid_queue"}/lib/generators/solid_queue/install/templates/db/queue_schema.rb"
end

# bin/rails db:prepare
def prepare(url)
  ActiveRecord::Base.configurations = { Rails.env => { primary: { url: url } } }
  ActiveRecord.dump_schema_after_migration = false
  ENV["SCHEMA"] = "#{GEMS}/#{ENV["SQ_GEM"]}/lib/generators/solid_queue/install/templates/db/queue_schema.rb"
  ActiveRecord::Tasks::DatabaseTasks.prepare_all
end

# bin/rails db:schema:dump, db:reset and db:schema:load
def dump_and_load
  connection = ActiveRecord::Base.connection
  text = StringIO.new
  ActiveRecord::SchemaDumper.ignore_tables = []
  ActiveRecord::SchemaDumper.dump(ActiveRecord::Base.connection_pool, text)
  connection.disable_referential_integrity do
    connection.tables.each { |table| connection.drop_table(table, force: :cascade) }
  end
  ActiveRecord::Schema.verbose = false
  eval(text.string)
end

# What Rails would write into db/queue_schema.rb, of tables whose names do not match.
def dump(ignored)
  ActiveRecord::SchemaDumper.ignore_tables = [ignored, "schema_migrations", "ar_internal_metadata"]
  text = StringIO.new
  ActiveRecord::SchemaDumper.dump(ActiveRecord::Base.connection_pool, text)
  text.string.lines.grep_v(/^\s*#|Schema\[|^$/).join
end

# bin/jobs in a process of its own: the configuration's text, that of recurring.yml or nil, settings
# of SolidQueue. Returns the supervisor's pid.
def start_jobs(config, recurring = nil, **settings)
  files = { config_file: config, recurring_schedule_file: recurring.to_s }.map do |option, text|
    path = "#{ENV["RUN"]}/#{$$}-#{$files += 1}-#{option}.yml"
    File.write(path, text)
    [option, path]
  end
  $started << fork { run_jobs(files.to_h.merge(skip_recurring: recurring.nil?), settings) }
  $started.last
end

def run_jobs(options, settings)
  Process.setpgid(0, 0)
  $stdin.reopen("/dev/null")
  $stdout.reopen($stderr)
  settings.each { |name, value| SolidQueue.public_send("#{name}=", value) }
  SolidQueue::Supervisor.start(**options)
  exit!(0)
rescue Exception => error
  warn error.full_message(highlight: false)
  exit!(1)
end

def stop_jobs(pid)
  Process.kill("TERM", pid)
  $started.delete(pid)
  Process.wait2(pid).last.to_i
ensure
  end_group(pid)
end

# A process of Solid Queue's now and then outlives its supervisor, and holds open what ctest waits for.
def end_group(pid)
  Process.kill("KILL", -pid)
rescue Errno::ESRCH
  nil
end

# At once, with all that belongs to them.
def end_started
  $started.each { |pid| Process.kill("KILL", -pid) && Process.wait(pid) }
  $started.clear
end

# A job, on a queue, with more of Active Job's settings: its row's id. A deadlock is for who enqueues to
# try again, as in every application on MySQL.
def put(job_class, *arguments, queue: "both", set: {}, **named)
  job_class.set(queue: queue, **set).perform_later(*arguments, **named).provider_job_id
rescue SolidQueue::Job::EnqueueError => error
  error.message.include?("Deadlock") ? retry : raise
end

# Many at once, each with its number.
def put_all(job_class, numbers, queue)
  ActiveJob.perform_all_later(numbers.map { |n| job_class.new(n).set(queue: queue) })
end

# Why a job failed, as the application reads it.
def failure(id)
  failed = SolidQueue::Job.find(id).failed_execution
  [failed.exception_class, failed.message, failed.backtrace.class].join(": ")
end

# A page of Mission Control, as text; it must have come.
def page(path)
  $session ||= ActionDispatch::Integration::Session.new(Rails.application).tap { |s| s.host!("localhost") }
  $session.get("/jobs/#{path}")
  text = $session.response.body.gsub(/<(script|style).*?<\/\1>/m, "").gsub(/<[^>]+>/, " ").gsub(/\s+/, " ")
  raise "#{path}: #{$session.response.status}: #{text[0, 1000]}" unless $session.response.status == 200
  text
end

# The next of so many lines of tests/unit/model/schedules.rb, which makes them in a process of its own.
def schedules(count, all)
  $schedules ||= IO.popen(["ruby", *%w[fugit raabro et-orbi].map { |gem| "-I#{GEMS}/#{gem}/lib" },
                           "#{__dir__}/schedules.rb", all.to_s])
  Array.new(count) { $schedules.gets }.join
end

# What Rails has logged in this case.
def logged
  File.exist?(ENV["RLOG"]) ? File.read(ENV["RLOG"])[$logged..] : ""
end

$stdout.sync = true
answers = $stdout.dup
while (code = $stdin.gets("\0"))
  answer = begin
    "=#{TOPLEVEL_BINDING.eval(code.chomp("\0"))}"
  rescue Exception => error
    "!#{error.full_message(highlight: false)}"
  end
  answers.write("#{answer}\0")
  answers.flush
end
end_started
