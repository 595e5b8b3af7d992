#include "framework/command.h"

#include <fmt/format.h>

#include "framework/component.h"

namespace davit {

std::string ToAt(const Command& command, double time) {
  if (const Assignment* write = command.write()) {
    return ToAt(write->item, write->text.empty() ? write->item.TextOf(write->number) : write->text, time);
  }
  return command.message() != nullptr ? ToAt(*command.message(), time) : ToAt(*command.event(), time);
}

std::string ToAt(const Item& item, std::string_view value, double time) {
  return fmt::format("<At time=\"{} s\" set=\"{}\" value=\"{}\"/>", time, item.path(), value);
}

std::string ToAt(const MessageCall& call, double time) {
  return fmt::format("<At time=\"{} s\" message=\"{}\" to=\"{}\"/>", time, call.message->label().name,
                     call.owner->path());
}

std::string ToAt(const EventPost& event, double time) {
  const std::string to = event.receiver == nullptr ? "" : fmt::format(" to=\"{}\"", event.receiver->path());
  return fmt::format("<At time=\"{} s\" event=\"{}\"{}/>", time, event.name, to);
}

}  // namespace davit
