#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/alarm.h"
#include "framework/item.h"
#include "framework/system.h"
#include "server/value_source.h"
#include "simulator/charts/chart_binding.h"

namespace davit {

/// Types of nodes and values, with the numbers of StudioAPI.
enum class NodeType : std::int8_t {
  kSystem = 0,
  kApplication = 1,
  kComponent = 2,
  kObject = 3,
  kMessage = 4,
  kProperty = 6,
};
enum class NodeValueType : std::uint8_t { kNone = 0, kDouble = 1, kBool = 11, kString = 12 };

/// A node of the tree that clients see.
struct LiveNode {
  enum class Kind : std::uint8_t {
    kSystem,
    kApplication,
    kComponent,
    kGroup,         ///< of items whose names have dots: a port, the states of a chart
    kTime,          ///< the simulated time
    kItem,          ///< `subject`: of items()
    kItemText,      ///< the same as a text with its unit
    kMessage,       ///< `text` is the name of the message; the parent is the component
    kAlarm,         ///< `subject`: of alarms(); whether it is set
    kAcknowledged,  ///< whether the alarm is acknowledged
    kAcknowledge,   ///< set to acknowledge it
    kChart,         ///< `subject`: of charts(); the ids of its active states
    kFixedText,     ///< `text`
    kFixedNumber,   ///< `number`
  };

  std::uint32_t id = 0;
  std::uint32_t parent = 0;
  Kind kind = Kind::kGroup;
  NodeType type = NodeType::kObject;
  NodeValueType value_type = NodeValueType::kNone;
  bool is_read_only = true;
  bool is_important = false;
  std::uint32_t subject = 0;
  std::string name = {};
  std::string type_name = {};
  std::string text = {};
  double number = 0;
  std::vector<std::uint32_t> children = {};
};

/// The tree of a system as StudioAPI shows it: the system, its one application with the name of the system,
/// and below it the components with all that they have. Below the application the names of a path are those
/// of the command line.
///
/// Made in the thread that drives, when the system is built; it does not change afterwards and may be read in
/// any thread. What reads values (SourceOf, TextOf) is for the thread that drives.
class NodeTree {
 public:
  static constexpr std::uint32_t kSystemNode = 0;
  static constexpr std::uint32_t kApplicationNode = 1;

  /// The system must outlive the tree.
  explicit NodeTree(System& system);

  const LiveNode* Find(std::uint32_t id) const { return id < nodes_.size() ? &nodes_[id] : nullptr; }
  /// By the path on the command line, below the application: `load.mass`.
  const LiveNode* FindPath(std::string_view path) const;
  /// Of the application empty.
  std::string PathOf(const LiveNode& node) const;
  /// The node of a component as the event log names it: `/crane/boom`; null where there is none.
  const LiveNode* FindDisplayPath(std::string_view path) const;
  const std::vector<LiveNode>& nodes() const { return nodes_; }

  struct LiveItem {
    Item item;
    std::uint32_t node = 0;
    bool is_writable = false;
    std::vector<std::string> options = {};
  };
  struct LiveAlarm {
    Alarm* alarm = nullptr;
    Component* owner = nullptr;
    std::uint32_t node = 0;
  };
  struct LiveChart {
    ChartBinding* chart = nullptr;
    std::uint32_t node = 0;
  };
  const std::vector<LiveItem>& items() const { return items_; }
  const std::vector<LiveAlarm>& alarms() const { return alarms_; }
  const std::vector<LiveChart>& charts() const { return charts_; }
  const LiveItem* FindItem(std::string_view path) const;

  /// The number that a node shows; nothing where it shows a text, or what never changes.
  std::optional<ValueSource> SourceOf(const LiveNode& node) const;
  /// The text of a node that shows one which may change. In the thread that drives, between two steps.
  std::string TextOf(const LiveNode& node) const;
  /// Whether TextOf is its value.
  static bool HasText(const LiveNode& node) {
    return node.kind == LiveNode::Kind::kItemText || node.kind == LiveNode::Kind::kChart ||
           (node.kind == LiveNode::Kind::kItem && node.text == "text");
  }
  System& system() const { return system_; }

 private:
  LiveNode& Add(std::uint32_t parent, LiveNode::Kind kind, std::string name);
  /// Makes what stands between two dots of the name of an item.
  std::uint32_t AddGroups(std::uint32_t parent, std::string_view& name);
  void AddComponent(Component& component, std::uint32_t parent);
  void AddItem(const Item& item, std::uint32_t parent);
  void AddText(std::uint32_t parent, std::string_view name, std::string text);
  void AddNumber(std::uint32_t parent, std::string_view name, double number);
  void AddAlarm(Alarm& alarm, Component& owner, std::uint32_t parent);
  std::uint32_t FindChild(std::uint32_t parent, std::string_view name) const;
  /// One that no child of `parent` has.
  std::string FreeName(std::uint32_t parent, std::string_view name, std::string_view suffix) const;

  System& system_;
  std::vector<LiveNode> nodes_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t, std::less<>> by_name_;
  std::map<std::string, std::uint32_t, std::less<>> by_display_path_;
  std::map<std::string, std::size_t, std::less<>> items_by_path_;
  std::vector<LiveItem> items_;
  std::vector<LiveAlarm> alarms_;
  std::vector<LiveChart> charts_;
};

}  // namespace davit
