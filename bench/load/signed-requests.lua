-- Sends the requests of a file in order, and counts the answers that do not begin like a success.
-- Arguments: the file, "once" to end when all were sent or "again" to start over, and that beginning.

local ffi = require("ffi")
ffi.cdef("typedef struct { long seconds; long nanoseconds; } moment; int clock_gettime(int clock, moment *now);")

local the_thread -- wrk runs with one.
local monotonic = 1

local function now()
  local moment = ffi.new("moment")
  ffi.C.clock_gettime(monotonic, moment)
  return tonumber(moment.seconds) + tonumber(moment.nanoseconds) / 1e9
end

function setup(thread)
  the_thread = thread
end

function init(args)
  requests = {}
  failures = 0
  position = 0
  once = args[2] == "once"
  success_prefix = args[3]
  local file = assert(io.open(args[1], "rb"))
  while true do
    local length = file:read("*l")
    if length == nil then break end
    requests[#requests + 1] = file:read(tonumber(length))
  end
  file:close()
  cpu_at_start = os.clock()
  started_at = now()
end

function request()
  position = position + 1
  if position > #requests then
    -- An answer to what is sent from here on is no longer counted.
    if once then
      ended_at = ended_at or now()
      wrk.thread:stop()
    end
    position = 1
  end
  return requests[position]
end

function response(status, headers, body)
  if string.sub(body, 1, #success_prefix) ~= success_prefix then failures = failures + 1 end
end

function done(summary, latency)
  -- wrk waits for the end of the round even when its only thread has stopped, and counts that time.
  local ended_at = the_thread:get("ended_at")
  local seconds = ended_at and ended_at - the_thread:get("started_at") or summary.duration / 1e6
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    '\n{"answers":%d,"seconds":%.6f,"failures":%d,"p50Ms":%.4f,"p99Ms":%.4f,"p999Ms":%.4f,"cpuSeconds":%.4f}\n',
    summary.requests, seconds, the_thread:get("failures") + broken,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency:percentile(99.9) / 1e3,
    os.clock() - the_thread:get("cpu_at_start")))
end
