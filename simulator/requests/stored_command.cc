#include "simulator/requests/stored_command.h"

#include <string_view>
#include <utility>

namespace davit {

StoredCommand StoredCommand::Of(const Command& command) {
  if (const Assignment* write = command.write()) {
    const std::string text = write->text.empty() ? write->item.TextOf(write->number) : write->text;
    return {Kind::kWrite, command.time, command.sender, write->item.path(), text};
  }
  if (const MessageCall* call = command.message()) {
    return {Kind::kMessage, command.time, command.sender, call->owner->path(),
            std::string(call->message->label().name)};
  }
  const EventPost& event = *command.event();
  return {Kind::kEvent, command.time, command.sender,
          event.receiver == nullptr ? std::string() : event.receiver->path(), event.name};
}

std::optional<Command> StoredCommand::Find(const System& system, Fault* fault) const {
  Command command{.time = time, .sender = sender, .action = {}};
  switch (kind) {
    case Kind::kWrite: {
      auto write = system.FindLiveAssignment(system.root(), path, text, fault);
      if (!write) return std::nullopt;
      command.action = std::move(*write);
      return command;
    }
    case Kind::kMessage: {
      const auto call = system.FindMessage(system.root(), path, text, fault);
      if (!call) return std::nullopt;
      command.action = *call;
      return command;
    }
    case Kind::kEvent: {
      const auto receiver = path.empty() ? std::nullopt : std::optional<std::string_view>(path);
      const auto event = system.FindEvent(system.root(), receiver, text, fault);
      if (!event) return std::nullopt;
      command.action = *event;
      return command;
    }
  }
  *fault = {"unknown kind of command", {}};
  return std::nullopt;
}

}  // namespace davit
