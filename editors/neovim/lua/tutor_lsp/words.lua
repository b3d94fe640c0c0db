--- The plugin's own texts in the learner's language. The server, which knows the translation, sends
--- it once (`tutor/texts`); until then, and where there is none, they are English.
local M = {}

---@type table<string, string> translations by their English
local known = {}

--- Keep the translations of this session.
---@param texts table<string, string>
function M.learn(texts)
  known = texts
end

--- A text for the learner, its `{name}` places filled.
---@param english string
---@param values table<string, string|number>?
---@return string
function M.t(english, values)
  local text = known[english] or english
  return values and (text:gsub("{(%w+)}", values)) or text
end

--- A text that |M.t| translates where it is shown, when there may be a server.
---@param english string
---@return string
function M.marked(english)
  return english
end

return M
