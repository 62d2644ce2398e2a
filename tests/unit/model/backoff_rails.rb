# Prints tests/unit/backoff_rails.txt: what Active Job's own determine_delay makes of given random
# numbers. ruby backoff_rails.rb > ../backoff_rails.txt, where the gem activejob is installed.
require "active_job"

class Waits < ActiveJob::Base
  attr_accessor :chance
  def wait(...) = determine_delay(...)
end

# The only random number of a wait.
module Kernel
  def self.rand = Waits.chance
end

class << Waits
  attr_accessor :chance
end

seed = Random.new(20261123)
puts "# Waits of Active Job #{ActiveJob.version}, made by model/backoff_rails.rb. Columns: wait " \
     "(polynomially_longer or"
puts "# seconds), executions, jitter, the random number, the delay in seconds."
1000.times do |line|
  wait = line < 800 ? :polynomially_longer : [0, 1, 3, 10, 30, 90, 600, 3600, 86_400][line % 9]
  executions = line < 400 ? line / 20 + 1 : seed.rand(1..50)
  jitter = [0.15, 0.15, 0.15, 0.0, 0.5, 1.0, 0.3][seed.rand(7)]
  Waits.chance = [seed.rand, 0.0, seed.rand, 1.0 - Float::EPSILON, seed.rand][line % 5]
  delay = Waits.new.wait(seconds_or_duration_or_algorithm: wait.is_a?(Integer) ? wait.seconds : wait,
                         executions: executions, jitter: jitter)
  puts format("%s\t%d\t%s\t%.17g\t%.17g", wait, executions, jitter, Waits.chance, delay)
end
