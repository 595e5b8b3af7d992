#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/alarm.h"
#include "framework/component.h"
#include "framework/item.h"

namespace davit {

/// A number that an element of a panel writes or shows.
struct PanelAxis {
  Item item;
  double low = 0;      ///< SI; of a switch its value when off
  double high = 1;     ///< SI; of a switch its value when on
  double neutral = 0;  ///< SI; where a spring returns it to
};

/// Where the scale of a gauge is marked: a number, or what an item has at the time.
struct PanelLimit {
  std::string_view severity;  ///< `warning` or `alarm`
  double value = 0;           ///< SI; without an item
  std::optional<Item> item = {};
};

/// An element of a panel, as the system file has it. What an element does not have keeps its default.
struct PanelElement {
  std::string_view kind = {};  ///< the name of its element: `Lever`
  std::string name = {};
  std::string label = {};
  std::vector<PanelAxis> axes = {};     ///< of a joystick x and y, of most others one
  double dead_band = 0;                 ///< fraction of the way from neutral to an end that has no effect
  bool has_spring = false;              ///< returns to neutral when it is let go
  bool is_writable = false;             ///< of a field: it can be edited
  std::string command = {};             ///< of a button, in the words of `--commands`: `event lift`
  std::string chart = {};               ///< of a chart state: the path of the chart
  std::string alarms = {};              ///< of an alarm list: a glob of the paths of alarms
  std::vector<PanelLimit> limits = {};  ///< of a gauge
  bool is_bad_below = false;            ///< of a gauge: what is below its limits is bad, not what is above
  double above = 0;                     ///< of a lamp: it is lit above this number, SI
  std::string_view color = {};          ///< of a lamp
  std::string_view gamepad = {};        ///< the stick, axis or button of a gamepad that moves it
};

/// What a panel shows, and what happens when its operator is lost.
struct PanelContent {
  std::string title;
  double timeout = 1;           ///< without a sign of life for so long, the operator is lost [s]
  std::string lost_event = {};  ///< for charts, when the operator is lost; may be empty
  std::vector<PanelElement> elements = {};
};

/// Levers, buttons and lamps of an operator: the element `<Panel>`. It computes nothing; front ends
/// show it and write its items like any other client.
class OperatorPanel final : public Component {
 public:
  static constexpr ModelInfo kInfo{.name = "Panel", .text = "Levers, buttons and lamps of an operator"};

  const PanelContent& content() const { return content_; }
  void set_content(PanelContent content) { content_ = std::move(content); }
  Alarm& operator_lost() { return operator_lost_; }

 private:
  PanelContent content_;
  Alarm operator_lost_{this, "operator_lost", AlarmLevel::kError,
                       "Operator lost; levers with a spring returned to neutral"};
};

}  // namespace davit
