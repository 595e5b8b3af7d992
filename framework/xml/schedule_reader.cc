#include "framework/xml/schedule_reader.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "framework/event_name.h"
#include "framework/nearest_name.h"
#include "framework/units/quantity.h"

namespace davit {
namespace {

/// The earliest time that makes sense [s].
double EarliestTime(const System& system) {
  Fault fault;
  const auto start = system.FindVariable(system.root(), "SimulatorManager.StartTime", &fault);
  return start ? std::min(0.0, start->Read()) : 0.0;
}

}  // namespace

SourceLocation OptionPlace(std::string_view option, std::string_view text) {
  return {std::make_shared<const std::string>(std::string(option) + ' ' + std::string(text)), 0};
}

std::optional<double> ParseTime(const System& system, std::string_view text, Fault* fault) {
  const QuantityResult result = ParseQuantity(text, "s", system.units());
  if (!result.value) {
    *fault = {"time: " + result.fault.what, result.fault.remedy};
    return std::nullopt;
  }
  if (result.value->si >= 0 || result.value->si >= EarliestTime(system)) return result.value->si;
  *fault = {"time: " + Quoted(text) + " is before the run", "write a time at or after the start"};
  return std::nullopt;
}

std::optional<double> ReadTime(System& system, ElementReader& reader, std::string_view text,
                               const SourceLocation& place, const Component& scope) {
  Fault fault;
  const std::optional<double> time = ParseTime(system, text, &fault);
  if (!time) reader.ErrorAt(place, scope, fault);
  return time;
}

void ScheduleReader::Read(const std::vector<Element>& ats) {
  for (const Element& at : ats) {
    if (reader_.is_finished()) return;
    ReadAt(at);
  }
}

void ScheduleReader::ReadLevels(const std::vector<Element>& ats, const std::vector<Element>& schedule) {
  Read(ats);
  std::erase_if(commands_, [](const Command& command) {
    return command.write() != nullptr && command.write()->item.is_behaviour();
  });
  Read(schedule);
}

void ScheduleReader::Finish(const std::vector<std::string>& options) {
  for (const std::string& text : options) ReadOption(text);
  std::ranges::stable_sort(commands_, {}, &Command::time);
  for (Command& command : commands_) system_.AddCommand(std::move(command));
}

void ScheduleReader::ReadAt(const Element& at) {
  std::vector<std::string> kinds;
  for (const char* kind : {"set", "message", "event"}) {
    if (at.xml->FindAttribute(kind) != nullptr) kinds.push_back(Quoted(kind));
  }
  if (kinds.size() > 1) {
    return reader_.Error(at, "At has " + kinds[0] + " and " + kinds[1] + "; write one At for each");
  }
  if (at.xml->FindAttribute("message") != nullptr) return ReadMessage(at);
  if (at.xml->FindAttribute("event") != nullptr) return ReadEvent(at);
  reader_.CheckAttributes(at, "set");
  const std::optional<std::string> time = reader_.Require(at, "time");
  std::optional<std::string> path = reader_.Require(at, "set");
  std::optional<std::string> value = reader_.Require(at, "value");
  const SourceLocation place = reader_.Place(at);
  const std::optional<double> due = time ? ReadTime(system_, reader_, *time, place, *at.scope) : std::nullopt;
  if (path && value) Schedule(due, {std::move(*path), std::move(*value)}, place, *at.scope);
}

void ScheduleReader::ReadMessage(const Element& at) {
  reader_.CheckAttributes(at, "message");
  const std::optional<std::string> time = reader_.Require(at, "time");
  const std::optional<std::string> name = reader_.Require(at, "message");
  const std::optional<std::string> to = reader_.Require(at, "to");
  const std::optional<double> due =
      time ? ReadTime(system_, reader_, *time, reader_.Place(at), *at.scope) : std::nullopt;
  if (!name || !to) return;
  const std::optional<std::string> value = reader_.Find(at, "value");
  Fault fault;
  std::optional<Command> command = system_.FindMessageCommand(*at.scope, *to, *name, value, &fault);
  if (!command) {
    if (reader_.LeadsToRefused(*at.scope, *to)) return;
    reader_.ErrorAt(reader_.Place(at), system_.OwnerOf(*at.scope, *to), fault);
  } else if (due) {
    command->time = *due;
    commands_.push_back(std::move(*command));
  }
}

void ScheduleReader::ReadEvent(const Element& at) {
  reader_.CheckAttributes(at, "event");
  const std::optional<std::string> time = reader_.Require(at, "time");
  std::optional<std::string> event = reader_.Require(at, "event");
  const std::optional<std::string> to = reader_.Find(at, "to");
  const SourceLocation place = reader_.Place(at);
  const std::optional<double> due = time ? ReadTime(system_, reader_, *time, place, *at.scope) : std::nullopt;
  if (!event) return;
  if (!IsEventName(*event)) return reader_.Error(at, NoEventNameFault(*event));
  if (at.xml->FindAttribute("to") != nullptr && !to) return;
  Fault fault;
  std::optional<EventPost> post = system_.FindEvent(*at.scope, to, *event, &fault);
  if (post) {
    if (due) commands_.push_back({.time = *due, .action = std::move(*post)});
  } else if (!reader_.LeadsToRefused(*at.scope, to.value_or(""))) {
    reader_.ErrorAt(place, system_.OwnerOf(*at.scope, to.value_or("")), fault);
  }
}

void ScheduleReader::ReadOption(const std::string& text) {
  const SourceLocation place = OptionPlace("--at", text);
  const std::size_t colon = text.find(':');
  const std::size_t equal = text.find('=');
  if (colon == std::string::npos || equal == std::string::npos || equal < colon) {
    reader_.ErrorAt(place, system_.root(),
                    "not of the form T:PATH=VALUE; write for example --at 12:load.mass='5 t'");
    return;
  }
  const std::optional<double> due = ReadTime(system_, reader_, text.substr(0, colon), place, system_.root());
  Schedule(due, {std::string(Trim(text.substr(colon + 1, equal - colon - 1))), text.substr(equal + 1)}, place,
           system_.root());
}

void ScheduleReader::Schedule(const std::optional<double>& time, const Write& write,
                              const SourceLocation& place, const Component& scope) {
  Fault fault;
  const std::optional<Assignment> assignment =
      system_.FindLiveAssignment(scope, write.path, write.value, &fault);
  if (!assignment) {
    if (reader_.LeadsToRefused(scope, write.path)) return;
    reader_.ErrorAt(place, system_.OwnerOf(scope, write.path), fault);
  } else if (time) {
    commands_.push_back({.time = *time, .action = *assignment});
  }
}

}  // namespace davit
