#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/declaration.h"
#include "framework/diagnostics.h"
#include "framework/level.h"
#include "framework/model_info.h"

namespace davit {

class Archive;
class KeptTexts;
class AspectBase;
struct AutomaticLevels;
class RunLog;
class System;
struct ModelEntry;

/// Which level a component runs at, and the options of its aspects in the order of their declaration.
struct BehaviourSetting {
  std::optional<Level> level;
  bool is_modified = false;
  std::vector<std::uint32_t> options;

  friend bool operator==(const BehaviourSetting&, const BehaviourSetting&) = default;
};

/// A node of the tree: something with a name, a parent, children and declared items.
///
/// Derived classes declare their items as members (`Parameter`, `Input`, `Output`, `Property`,
/// `StateVariable`, ports, `Message`, `Alarm`); each registers itself here. Life cycle, driven by the loader
/// and the manager: constructor, values of the system file, `Configure`, connections and routes,
/// `ParametersChanged`, the run.
class Component {
 public:
  Component();
  virtual ~Component();
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  const std::string& name() const { return cold_->name; }
  /// Names from below the root, joined by dots: `crane.boom.cylinder`; empty for the root.
  std::string path() const;
  /// The path as diagnostics show it: `/crane/boom/cylinder`.
  std::string DisplayPath() const;
  Component* parent() const { return cold_->parent; }
  /// Children in the order of the system file. They are owned by the `System`.
  const std::vector<Component*>& children() const { return cold_->children; }
  Component* FindChild(std::string_view name) const;
  /// The type of the component, as registered.
  const ModelInfo& model() const { return *cold_->model; }
  /// How the registry makes and evaluates components of this type.
  const ModelEntry& entry() const { return *cold_->entry; }
  const SourceLocation& location() const { return cold_->location; }
  const Declarations& declarations() const { return cold_->declarations; }
  Declarations& mutable_declarations() { return cold_->declarations; }

  /// The level the component runs at; nothing for a model without levels.
  std::optional<Level> level() const { return cold_->level; }
  /// Sets all aspects to what the level chooses. Pre: the component has `level`.
  void SetLevel(Level level);
  /// The level as recorded: its number; NaN without levels.
  const double* level_value() const { return &cold_->level_value; }
  /// Sets one aspect alone. The level then counts as modified until it is set again.
  void SetAspect(AspectBase& aspect, std::uint32_t option);
  /// 1 while an aspect was set individually since the level was set, else 0.
  const double* level_modified_value() const { return &cold_->level_modified_value; }
  /// Adds a level of the system file: one option for each aspect, in the order of their declaration.
  void DefineLevel(std::string name, std::vector<std::uint32_t> options);
  /// The names of all levels the component has: those of the model, then those of the system file.
  std::vector<std::string> LevelNames() const;
  std::optional<Level> FindLevel(std::string_view name) const;
  bool HasLevel(Level level) const;
  /// Whether it has more than one behaviour: levels and aspects.
  bool has_behaviours() const { return !model().levels.is_empty() && !declarations().aspects.empty(); }
  /// The built-in level with most detail. Pre: the model has levels.
  Level HighestLevel() const;
  /// By which its chart chooses the level; null for a model without levels or indicators.
  AutomaticLevels* automatic_levels() const { return cold_->automatic_levels.get(); }
  /// Whether its chart chooses the level now.
  bool chooses_its_level() const;
  /// Pre: the component has `level`.
  std::string_view LevelName(Level level) const;
  /// What a level chooses for an aspect: its option. Pre: the component has `level`.
  std::uint32_t OptionAt(Level level, std::size_t aspect) const;
  /// Everything that SetLevel and SetAspect set.
  BehaviourSetting behaviour() const;
  /// The same into `setting`, without memory where that has been read before.
  void ReadBehaviour(BehaviourSetting& setting) const;
  void SetBehaviour(const BehaviourSetting& setting);

  /// Makes what depends on values of the system file, such as array sizes. Faults go to `diagnostics`.
  virtual void Configure(Diagnostics& /*diagnostics*/) {}
  /// For models whose values share a unit (ModelEntry::values_share_unit): the SI unit of the values given;
  /// empty for numbers with a unit without dimension. Called once the attributes are read, not where all
  /// values are bare numbers. By default all parameters and outputs of any unit take it.
  virtual void TakeUnitOfValues(std::string_view si_unit);
  /// Looks up by name what it needs of other components, and makes the outputs that depend on it. Called once
  /// while the system is loaded: after the connections, before the routes. Faults go to `diagnostics`.
  virtual void Link(System& /*system*/, Diagnostics& /*diagnostics*/) {}
  /// Recomputes derived constants; called once before the run and after each change of a parameter or
  /// property.
  virtual void ParametersChanged() {}
  /// Looks at what the neighbours wrote into the bonds in `ParametersChanged`; contradictions go to
  /// `diagnostics`.
  virtual void CheckConnections(Diagnostics& /*diagnostics*/) {}
  /// Back to the start values.
  virtual void Reset() {}
  /// Lists all that the component remembers from step to step besides what it has declared: waves, delays,
  /// modes. A snapshot takes it along. Called after Reset when loading.
  virtual void ArchiveMemory(Archive& /*archive*/) {}
  /// Whether an element named `model` is allowed inside this component's element in a system file.
  virtual bool AcceptsChild(std::string_view model) const;

  /// Where alarms and messages of this component are written down; null outside a run.
  RunLog* run_log() const;
  void set_run_log(RunLog* log) { cold_->run_log = log; }

  /// A text for declarations that are made at run time; it lives as long as the component.
  Text Keep(std::string text);
  /// The same for the names of options.
  std::span<const std::string_view> KeepOptions(std::span<const std::string> options);

  // For whoever builds the tree.
  void Place(std::string name, Component* parent, SourceLocation location);
  void set_entry(const ModelEntry& entry);

 private:
  struct Cold {
    std::string name;
    Component* parent = nullptr;
    std::vector<Component*> children;
    const ModelInfo* model = nullptr;
    const ModelEntry* entry = nullptr;
    SourceLocation location;
    Declarations declarations;
    std::unique_ptr<KeptTexts> texts;
    std::optional<Level> level;
    double level_value = 0;
    double level_modified_value = 0;
    struct OwnLevel {
      std::string name;
      std::vector<std::uint32_t> options;
    };
    std::vector<OwnLevel> own_levels;
    std::unique_ptr<AutomaticLevels> automatic_levels;
    RunLog* run_log = nullptr;
  };
  std::unique_ptr<Cold> cold_;
};

}  // namespace davit
