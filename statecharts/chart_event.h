#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "expressions/expression_event.h"
#include "expressions/symbol_table.h"

namespace davit {

/// Of `_event.type`: raised by davit itself (errors, done events), by the chart, or from outside.
enum class EventType : std::uint8_t { kPlatform, kInternal, kExternal };

constexpr std::string_view ToText(EventType type) {
  constexpr std::array<std::string_view, 3> kNames{"platform", "internal", "external"};
  return kNames[static_cast<std::size_t>(type)];
}

/// What an event carries besides numbers; only events of data model `ecmascript` and events with a name that
/// occur in no chart have it, because it allocates.
struct EventDetails {
  std::string name;     ///< where the event's name is no symbol
  std::string send_id;  ///< of a `<send>` with idlocation
  std::string data;     ///< JSON text; empty where there is none
  bool has_data = false;
};

/// One event: what expressions read of it, and where it comes from.
struct Event : ExpressionEvent {
  EventType type = EventType::kExternal;
  SymbolId send_id = kNoSymbol;    ///< of the `<send>`
  SymbolId invoke_id = kNoSymbol;  ///< of the `<invoke>` whose child chart has sent it
  std::uint32_t origin = 0;        ///< number of the sending session, 0 if it is none
  std::unique_ptr<EventDetails> details;

  Event() : Event(kNoSymbol) {}
  // `fields` is left as it is: most events have none.
  explicit Event(SymbolId event_name, EventType event_type = EventType::kExternal)  // NOLINT
      : type(event_type) {
    name = event_name;
  }
  Event(Event&& other) noexcept { *this = std::move(other); }  // NOLINT
  Event& operator=(Event&& other) noexcept {
    name = other.name;
    type = other.type;
    has_value = other.has_value;
    field_count = other.field_count;
    send_id = other.send_id;
    invoke_id = other.invoke_id;
    origin = other.origin;
    if (has_value) value = other.value;
    for (std::size_t i = 0; i < field_count; ++i) fields[i] = other.fields[i];
    details = std::move(other.details);
    return *this;
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() = default;

  EventDetails& Details() {
    if (!details) details = std::make_unique<EventDetails>();
    return *details;
  }
  std::string_view Name(const SymbolTable& symbols) const {
    if (name != kNoSymbol) return symbols.Text(name);
    return details ? std::string_view(details->name) : std::string_view();
  }
  std::string_view SendId(const SymbolTable& symbols) const {
    if (send_id != kNoSymbol) return symbols.Text(send_id);
    return details ? std::string_view(details->send_id) : std::string_view();
  }
  /// A copy with details of its own.
  Event Copy() const {
    Event copy(name, type);
    copy.has_value = has_value;
    copy.field_count = field_count;
    copy.send_id = send_id;
    copy.invoke_id = invoke_id;
    copy.origin = origin;
    copy.value = value;
    for (std::size_t i = 0; i < field_count; ++i) copy.fields[i] = fields[i];
    if (details) copy.details = std::make_unique<EventDetails>(*details);
    return copy;
  }
};

}  // namespace davit
