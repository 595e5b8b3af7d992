#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "framework/item.h"
#include "framework/message.h"

namespace davit {

/// A message to a component.
struct MessageCall {
  Component* owner = nullptr;
  Message* message = nullptr;
};

/// An event for statecharts.
struct EventPost {
  Component* receiver = nullptr;  ///< a statechart; null: all of them
  std::string name;
};

/// What a run is asked to do at a time: by `<At>`, a command stream, a client, a program.
struct Command {
  double time = 0;          ///< [s]; it acts at the first step point that is not before
  std::string sender = {};  ///< who asks, for the log; empty: the system file
  std::variant<Assignment, MessageCall, EventPost> action;

  const Assignment* write() const { return std::get_if<Assignment>(&action); }
  const MessageCall* message() const { return std::get_if<MessageCall>(&action); }
  const EventPost* event() const { return std::get_if<EventPost>(&action); }
};

/// The `<At>` that does the same at a time [s]: `<At time="3 s" set="load.mass" value="5 t"/>`.
std::string ToAt(const Command& command, double time);
std::string ToAt(const Item& item, std::string_view value, double time);
std::string ToAt(const MessageCall& call, double time);
std::string ToAt(const EventPost& event, double time);

/// Puts a command among others that are ordered by time; equal times in the order they are put in.
template <class Commands>
void InsertByTime(Command command, Commands& commands) {
  const auto place = std::ranges::upper_bound(commands, command.time, {}, &Command::time);
  commands.insert(place, std::move(command));
}

}  // namespace davit
