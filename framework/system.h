#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "framework/command.h"
#include "framework/component.h"
#include "framework/drawing_place.h"
#include "framework/fault.h"
#include "framework/item.h"
#include "framework/registry.h"
#include "framework/tree/component_pool.h"
#include "framework/tree/name_fault.h"
#include "framework/units/unit_system.h"

namespace davit {

class DefaultsProvider;
class FileSource;

/// One end of a connection.
struct PortRef {
  Component* owner = nullptr;
  const PortDeclaration* port = nullptr;
  std::string path;
};

/// A bond between a C and a Q port.
struct Connection {
  PortRef c;
  PortRef q;
  SourceLocation location;
  Bond* bond = nullptr;
};

/// How a route behaves between components that no power connection joins.
enum class Hold : std::uint8_t {
  kAutomatic,  ///< continuous inside an island, sampled between islands
  kNone,       ///< always continuous: both ends belong to one island
  kStep,       ///< always sampled at step points
};

/// A signal from a variable to an input or a parameter.
struct Route {
  Item from;
  Component* to_owner = nullptr;
  const InputDeclaration* to = nullptr;
  std::uint32_t element = 0;      ///< of an InputArray
  std::optional<Item> parameter;  ///< in place of `to`: a parameter, which is written at step points
  std::string to_path;
  Hold hold = Hold::kAutomatic;
  SourceLocation location;

  /// Where the input finds its value.
  const double** slot() const { return to->is_array ? &(*to->sources)[element] : to->source; }
};

/// What to record and when. Rows are written at the first step point at or after an instant.
struct RecordPlan {
  std::vector<Item> columns;
  std::vector<double> intervals;  ///< [s]; 0 means every step
  std::vector<double> times;      ///< single instants [s], ascending
};

/// A tree of components with its connections, routes and schedule: what a system file describes.
class System {
 public:
  /// A parameter that is not given: its value comes from a component of the surroundings.
  struct HandedDown {
    Component* owner;
    std::size_t parameter;  ///< in the declarations of the owner
    Component* provider;
    DefaultsProvider* defaults;  ///< the same
  };

  /// A start value that the file or the command line gives a state.
  struct GivenStart {
    Item state;
    SourceLocation location;
  };

  /// `registry` must outlive the system.
  explicit System(const Registry& registry);
  ~System();
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  const Registry& registry() const { return registry_; }
  const UnitSystem& units() const { return units_; }
  Component& root() { return *root_; }
  const Component& root() const { return *root_; }
  /// All components below the root, each before its children, in the order of the file.
  const std::vector<Component*>& components() const { return components_; }
  const std::vector<Connection>& connections() const { return connections_; }
  const std::vector<Route>& routes() const { return routes_; }
  /// The routes that end at parameters, at operators, or at inputs with operators. Whatever they begin at,
  /// they are sampled at step points; they are not among routes().
  const std::vector<Route>& sampled_routes() const { return sampled_routes_; }
  /// What its `<At>` want, ordered by time; equal times in the order they were added.
  const std::vector<Command>& schedule() const { return schedule_; }
  /// Those of one provider follow each other.
  const std::vector<HandedDown>& handed_down() const { return handed_down_; }
  void set_handed_down(std::vector<HandedDown> handed_down) { handed_down_ = std::move(handed_down); }
  /// In the order they were given; a state that is given twice comes twice.
  const std::vector<GivenStart>& given_starts() const { return given_starts_; }
  void AddGivenStart(GivenStart start) { given_starts_.push_back(std::move(start)); }
  /// Where the files come from that components name; null: the disk.
  const FileSource* files() const { return files_.get(); }
  void set_files(std::shared_ptr<const FileSource> files) { files_ = std::move(files); }
  RecordPlan& record_plan() { return record_plan_; }
  const RecordPlan& record_plan() const { return record_plan_; }

  /// Makes a component below `parent`. Pre: no sibling has this name.
  Component& Create(const ModelEntry& entry, std::string name, Component& parent, SourceLocation location);
  Component* Find(std::string_view path) const;
  /// A component of the same model with the same values, outside of the tree: for whoever evaluates it
  /// elsewhere.
  Component& MakeShadow(const Component& original);
  /// Gives `copy` the values of parameters, inputs and properties of `original`. Pre: the same model.
  void CopyValues(const Component& original, Component& copy) const;

  /// Where a drawing shows a component or sub-system that `<Layout>` places, seen from the system or
  /// sub-system that contains it; null where the drawing chooses.
  const DrawingPlace* FindDrawingPlace(const Component& component) const;
  /// Pre: the component has none yet.
  void SetDrawingPlace(const Component& component, const DrawingPlace& place) {
    drawing_places_.emplace(&component, place);
  }

  /// Makes `alias` of the component `scope` (a full path) a name of the item `target` (a full path).
  void Expose(std::string alias, std::string target);

  // The following look up names as a system file writes them, seen from `scope`. Where nothing is found the
  // result is empty and `fault` says why.
  /// The component that `path` leads to or into, as far as it can be followed.
  Component& OwnerOf(const Component& scope, std::string_view path) const;
  std::optional<PortRef> FindPort(const Component& scope, std::string_view path, Fault* fault) const;
  /// A number that can be read: routed, recorded, shown.
  std::optional<Item> FindVariable(const Component& scope, std::string_view path, Fault* fault) const;
  std::optional<Route> FindRouteTarget(const Component& scope, std::string_view path, Fault* fault) const;
  /// What can be written while the system is loaded: a state or start value gets the value to start from.
  std::optional<Item> FindSetting(const Component& scope, std::string_view path, Fault* fault) const;
  /// The same with the value that a text gives it.
  std::optional<Assignment> FindAssignment(const Component& scope, std::string_view path,
                                           std::string_view value, Fault* fault) const;
  /// The same for a write while the system runs: not to what is structural, nor to an input that reads a
  /// route.
  std::optional<Assignment> FindLiveAssignment(const Component& scope, std::string_view path,
                                               std::string_view value, Fault* fault) const;
  /// Whether an item may be written while the system runs; if not, why.
  static bool MayWrite(const Item& item, Fault* fault);
  /// Of the parameters, inputs and properties of `owner` itself: the attributes of its element.
  std::optional<Assignment> FindAttribute(Component& owner, std::string_view name, std::string_view value,
                                          Fault* fault) const;
  /// Of the states and start values of `owner`: the attributes of its `<Start>`.
  std::optional<Assignment> FindStart(Component& owner, std::string_view name, std::string_view value,
                                      Fault* fault) const;
  /// The component at a path, whole.
  Component* FindComponent(const Component& scope, std::string_view path, Fault* fault) const;
  /// Sends to a message of a component, as in `pump.Stop`.
  std::optional<MessageCall> FindMessage(const Component& scope, std::string_view component,
                                         std::string_view name, Fault* fault) const;
  /// The same as a command. A component with levels takes `SetLevel` with the name of a level as `text`; no
  /// other message has a text.
  std::optional<Command> FindMessageCommand(const Component& scope, std::string_view component,
                                            std::string_view name, std::optional<std::string_view> text,
                                            Fault* fault) const;
  /// An event for the statechart at a path; without one for all charts, whether they take it or not.
  std::optional<EventPost> FindEvent(const Component& scope, std::optional<std::string_view> receiver,
                                     std::string_view name, Fault* fault) const;
  /// All items of `owner`: first its signals, primary ones first, then settings and start values.
  std::vector<Item> ItemsOf(Component& owner) const;

  /// Joins two ports. Faults (roles, domains, single ports taken twice) go to `diagnostics`.
  void Connect(PortRef a, PortRef b, const SourceLocation& location, Component& scope,
               Diagnostics& diagnostics);
  /// Pre: the target of `route` was found by FindRouteTarget. Checks dimension and single inputs taken twice.
  void AddRoute(Route route, Component& scope, Diagnostics& diagnostics);
  /// Leads what comes out of operators to the input they belong to.
  void AddHeldRoute(Route route) { routes_.push_back(std::move(route)); }
  void AddCommand(Command command) { InsertByTime(std::move(command), schedule_); }

  /// Writes a value while the system is loaded: a state gets a start value.
  void ApplyAtLoad(const Assignment& assignment) const { assignment.Apply(units_); }

 private:
  /// A component and what is left of a path below it.
  struct Place {
    Component* owner = nullptr;
    std::string rest;
  };
  std::optional<Place> FindPlace(const Component& scope, std::string_view path, Fault* fault) const;
  /// Why the item, written as `path`, was not found.
  Fault NoItem(Wanted wanted, const Place& place, std::string_view path) const;
  std::optional<Item> FindAttributeItem(Component& owner, std::string_view name, Fault* fault) const;
  std::optional<Item> FindStartItem(Component& owner, std::string_view name, Fault* fault) const;
  std::optional<Assignment> WithValue(const Item& item, std::string_view value, Fault* fault) const;

  const Registry& registry_;
  UnitSystem units_;
  ComponentPool pool_;
  std::unique_ptr<Component> root_;
  std::vector<Component*> components_;
  std::unordered_map<std::string, Component*> by_path_;
  std::map<std::string, std::string, std::less<>> exposed_;      ///< full path of the alias, of its target
  std::map<std::string_view, std::unique_ptr<BondPool>> bonds_;  ///< by domain
  /// By two domains: a model that has ports of both, for messages. Looking at all models takes a while.
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> joining_models_;
  std::vector<Connection> connections_;
  std::unordered_map<const PortBase*, std::vector<std::size_t>> connections_of_;
  std::vector<Route> routes_, sampled_routes_;
  std::vector<Command> schedule_;
  std::vector<HandedDown> handed_down_;
  std::vector<GivenStart> given_starts_;
  RecordPlan record_plan_;
  std::shared_ptr<const FileSource> files_;
  std::unordered_map<const Component*, DrawingPlace> drawing_places_;
};

}  // namespace davit
