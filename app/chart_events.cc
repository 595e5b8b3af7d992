#include "app/chart_events.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <istream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "framework/nearest_name.h"
#include "statecharts/time_text.h"

namespace davit {
namespace {

std::optional<double> ReadNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// `2`, `2s`, `+0.1`, each with a `:` behind it if you like.
std::optional<double> ReadEventTime(std::string_view text, double previous) {
  if (text.ends_with(':')) text.remove_suffix(1);
  const bool is_relative = text.starts_with('+');
  if (is_relative) text.remove_prefix(1);
  std::optional<double> time = ReadNumber(text);
  if (!time) time = ParseTime(text);
  if (time && is_relative) *time += previous;
  return time;
}

class EventReader {
 public:
  EventReader(std::vector<ScriptedEvent>& events, Diagnostics& diagnostics)
      : events_(events), diagnostics_(diagnostics) {}

  void Read(const std::string& line, const SourceLocation& location) {
    const double previous = events_.empty() ? 0 : events_.back().time;
    std::istringstream stream(line);
    std::string word;
    if (!(stream >> word) || word.starts_with('#')) return;
    ScriptedEvent event;
    event.time = previous;
    const std::size_t colon = word.find(':');
    if (colon != std::string::npos && colon + 1 < word.size() &&
        ReadEventTime(word.substr(0, colon), previous)) {
      event.time = *ReadEventTime(word.substr(0, colon), previous);
      word = word.substr(colon + 1);
    } else if (const auto time = ReadEventTime(word, previous)) {
      event.time = *time;
      word.clear();
      stream >> word;
    }
    event.name = word;
    if (event.name.empty() || event.name.find('=') != std::string::npos) {
      return Fail(location, "the name of the event is missing; write [T] NAME [KEY=VALUE]...");
    }
    if (event.time < previous) {
      return Fail(
          location,
          fmt::format("the event {} comes at {} s, before the event in front of it; sort them by time",
                      Quoted(event.name), event.time));
    }
    while (stream >> word) {
      const std::size_t equals = word.find('=');
      if (equals == 0 || equals == std::string::npos) {
        return Fail(location, fmt::format("{} is not a value of an event; write KEY=VALUE", Quoted(word)));
      }
      event.values.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
    if (event.values.size() > Event::kMaxFields) {
      return Fail(location, fmt::format("an event carries at most {} values", Event::kMaxFields));
    }
    events_.push_back(std::move(event));
  }

  void Fail(const SourceLocation& location, std::string_view message) {
    diagnostics_.Error(location, "", message);
  }

 private:
  std::vector<ScriptedEvent>& events_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::vector<ScriptedEvent> ReadChartEvents(const ChartRunOptions& options, std::istream& in,
                                           Diagnostics& diagnostics) {
  std::vector<ScriptedEvent> events;
  EventReader reader(events, diagnostics);
  for (const std::string& event : options.events) {
    reader.Read(event, {std::make_shared<const std::string>(event), 0});
  }
  if (!options.script) return events;
  const auto file = std::make_shared<const std::string>(options.script->string());
  std::ifstream stream;
  const bool is_standard_input = *options.script == "-";
  if (!is_standard_input) stream.open(*options.script);
  std::istream& source = is_standard_input ? in : stream;
  if (!source) {
    reader.Fail({file}, "cannot open the file of events; check its name");
    return events;
  }
  int line = 0;
  for (std::string text; std::getline(source, text);) reader.Read(text, {file, ++line});
  return events;
}

Event MakeScriptedEvent(const ScriptedEvent& scripted, const Interpreter& session) {
  Event event = session.MakeEvent(scripted.name);
  if (session.chart().data_model == DataModelKind::kEcmascript && !scripted.values.empty()) {
    nlohmann::json data;
    for (const auto& [key, text] : scripted.values) {
      const auto number = ReadNumber(text);
      data[key] = number                              ? nlohmann::json(*number)
                  : text == "true" || text == "false" ? nlohmann::json(text == "true")
                                                      : nlohmann::json(text);
    }
    event.Details().data = data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    event.details->has_data = true;
    return event;
  }
  SymbolTable& symbols = *session.chart().symbols;
  for (const auto& [key, text] : scripted.values) {
    EventField field{symbols.Add(key), ValueType::kNumber, 0};
    if (const auto number = ReadNumber(text)) {
      field.value = *number;
    } else if (text == "true" || text == "false") {
      field.type = ValueType::kBoolean;
      field.value = text == "true" ? 1 : 0;
    } else {
      field.type = ValueType::kString;
      field.value = symbols.Add(text);
    }
    event.fields[event.field_count++] = field;
  }
  return event;
}

}  // namespace davit
