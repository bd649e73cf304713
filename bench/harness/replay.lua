-- Sends the requests of a file in turn: a line each, of method, path, body, and the names and values of the fields.
local requests = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do
    local parts = {}
    for part in (line .. "\t"):gmatch("([^\t]*)\t") do parts[#parts + 1] = part end
    local headers = {}
    for index = 4, #parts, 2 do headers[parts[index]] = parts[index + 1] end
    local body = parts[3] ~= "" and parts[3] or nil
    requests[#requests + 1] = wrk.format(parts[1], parts[2], headers, body)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
