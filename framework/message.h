#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include "framework/component.h"

namespace davit {

/// A command that can be sent to a component by name: `Start`, `Reset`, or one of its own.
class Message {
 public:
  Message(Component* owner, Text name, Text text, std::function<void()> action)
      : label_{name, {}, text}, action_(std::move(action)) {
    owner->mutable_declarations().messages.push_back(this);
  }
  /// One with a text, which it writes into a live property of the owner: logged, refused and kept in
  /// snapshots as a write to that.
  Message(Component* owner, Text name, Text text, const PropertyBase& property)
      : Message(owner, name, text, std::function<void()>([] {})) {
    property_ = &property;
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  const Label& label() const { return label_; }
  void Send() { action_(); }
  /// What takes its text; null of a message without.
  const PropertyBase* property() const { return property_; }

 private:
  Label label_;
  std::function<void()> action_;
  const PropertyBase* property_ = nullptr;
};

}  // namespace davit
