#include "framework/xml/system_loader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/automatic_levels.h"
#include "framework/nearest_name.h"
#include "framework/tree/glob.h"
#include "framework/xml/element_reader.h"
#include "framework/xml/hand_down.h"
#include "framework/xml/layout_reader.h"
#include "framework/xml/panel_reader.h"
#include "framework/xml/parameter_set_reader.h"
#include "framework/xml/record_reader.h"
#include "framework/xml/schedule_reader.h"
#include "framework/xml/tree_reader.h"
#include "framework/xml/unused_settings.h"
#include "framework/xml/value_units.h"
#include "framework/xml/wiring_reader.h"

namespace davit {
namespace {

/// `--level GLOB=LEVEL`. A component that is named must have the level. A glob must match a component; those
/// that it matches without the level, or without levels at all, keep theirs, with a warning if that is all.
/// GLOB=automatic lets their charts choose; any other level is then theirs for good.
void ApplyLevelOption(const std::string& text, System& system, GivenParameters& given,
                      ElementReader& reader) {
  const SourceLocation place = OptionPlace("--level", text);
  const std::size_t equal = text.find('=');
  if (equal == std::string::npos) {
    reader.ErrorAt(place, system.root(), "no '='; write --level GLOB=LEVEL, for example --level '*=Ideal'");
    return;
  }
  const std::string_view glob = Trim(std::string_view(text).substr(0, equal));
  const std::string_view level = Trim(std::string_view(text).substr(equal + 1));
  const std::string_view automatic = kLevelChoiceNames[static_cast<std::size_t>(LevelChoice::kAutomatic)];
  std::vector<std::string> known(kLevelNames.begin(), kLevelNames.end());
  known.emplace_back(automatic);
  const auto has_level = [&](const Component* component) { return component->FindLevel(level).has_value(); };
  const auto& components = system.components();
  if (std::find(known.begin(), known.end(), level) == known.end() &&
      std::none_of(components.begin(), components.end(), has_level)) {
    reader.ErrorAt(place, system.root(),
                   "no level " + Quoted(level) + "; " + SuggestName("use one of", level, known));
    return;
  }
  std::size_t matched = 0;  // components with levels
  bool has_skipped = false;
  std::vector<std::pair<Component*, Fault>> refused;
  for (Component* component : system.components()) {
    if (!MatchesGlob(component->path(), glob)) continue;
    if (component->model().levels.is_empty()) {
      has_skipped = true;
      continue;
    }
    ++matched;
    Fault fault;
    const bool is_automatic = level == automatic;
    const auto assignment =
        system.FindAttribute(*component, is_automatic ? "levels" : "level", level, &fault);
    if (!assignment) {
      refused.emplace_back(component, fault);
      continue;
    }
    system.ApplyAtLoad(*assignment);
    if (component->automatic_levels() == nullptr) continue;
    const Item levels = *system.FindSetting(*component, "levels", &fault);
    levels.Store(static_cast<double>(is_automatic ? LevelChoice::kAutomatic : LevelChoice::kGiven));
    given.insert(levels.target());
  }
  if (!refused.empty() && IsGlob(glob)) {
    std::set<std::string_view> models;
    for (const auto& [component, fault] : refused) models.insert(component->model().name);
    reader.diagnostics().Warning(
        place, {},
        fmt::format("{} of {} components have no level {} and keep theirs: {}", refused.size(), matched,
                    Quoted(level), fmt::join(models, ", ")));
  } else {
    std::set<const ModelInfo*> models;
    for (const auto& [component, fault] : refused) {
      if (models.insert(&component->model()).second) reader.ErrorAt(place, *component, fault);
    }
  }
  if (matched == 0 && has_skipped && IsGlob(glob)) {
    reader.diagnostics().Warning(
        place, {}, "no component that matches " + Quoted(glob) + " has levels; nothing changes");
  } else if (matched == 0 && !reader.LeadsToRefused(system.root(), glob)) {
    reader.ErrorAt(place, system.root(),
                   "no component with levels matches " + Quoted(glob) + "; see davit graph for the paths");
  }
}

/// What the manager says of automatic levels holds for all components that say nothing else. A component that
/// chooses its level begins with the highest one, unless it has one of the system file, which its chart
/// keeps.
void BeginAutomaticLevels(System& system, const GivenParameters& given) {
  Component* const manager = system.root().FindChild("SimulatorManager");
  Fault ignored;
  for (Component* component : system.components()) {
    if (component->automatic_levels() == nullptr) continue;
    for (const char* name : {"levels", "level_tolerance"}) {
      const std::optional<Item> of_all =
          manager == nullptr ? std::nullopt : system.FindSetting(*manager, name, &ignored);
      const Item own = *system.FindSetting(*component, name, &ignored);
      if (of_all && given.contains(of_all->target()) && !given.contains(own.target()))
        own.Store(of_all->Read());
    }
    if (component->chooses_its_level() && component->level() <= component->HighestLevel())
      component->SetLevel(component->HighestLevel());
  }
}

/// What is written in `levels` of the manager holds for all components.
void BeginOutsideLevels(System& system, const LoadOptions& options, ElementReader& reader) {
  if (!options.level.empty()) {
    reader.ErrorAt(OptionPlace("--level", options.level.front()), system.root(),
                   "a schedule or a chart chooses the levels of this run; leave out --level");
  }
  Fault ignored;
  if (Component* const manager = system.root().FindChild("SimulatorManager")) {
    if (const auto levels = system.FindSetting(*manager, "levels", &ignored))
      levels->Store(static_cast<double>(LevelChoice::kScheduled));
  }
  for (Component* component : system.components()) {
    if (component->level()) component->SetLevel(component->HighestLevel());
  }
}

/// Start values are handed back: they are written after those of the file. A parameter is added to those that
/// are `given`.
std::optional<Assignment> ApplyFromOutside(std::string_view path, std::string_view value,
                                           const SourceLocation& place, System& system,
                                           GivenParameters& given, ElementReader& reader) {
  Fault fault;
  auto assignment = system.FindAssignment(system.root(), path, value, &fault);
  if (!assignment) {
    if (!reader.LeadsToRefused(system.root(), path)) {
      reader.ErrorAt(place, system.OwnerOf(system.root(), path), fault);
    }
    return std::nullopt;
  }
  if (MayTellUnit(assignment->item))
    TellUnit({{assignment->item, assignment->text, place}}, assignment->item.owner(), system, reader);
  const Item::Kind kind = assignment->item.kind();
  if (kind == Item::Kind::kState) system.AddGivenStart({assignment->item, place});
  if (kind == Item::Kind::kState || kind == Item::Kind::kStart) return assignment;
  system.ApplyAtLoad(*assignment);
  given.insert(assignment->item.target());
  return std::nullopt;
}

/// `--set PATH=VALUE`.
std::optional<Assignment> ApplySetOption(const std::string& text, System& system, GivenParameters& given,
                                         ElementReader& reader) {
  const SourceLocation place = OptionPlace("--set", text);
  const std::size_t equal = text.find('=');
  if (equal == std::string::npos) {
    reader.ErrorAt(place, system.root(), "no '='; write --set PATH=VALUE, for example --set load.mass='5 t'");
    return std::nullopt;
  }
  return ApplyFromOutside(Trim(std::string_view(text).substr(0, equal)),
                          std::string_view(text).substr(equal + 1), place, system, given, reader);
}

void ReadStarts(const std::vector<Element>& starts, System& system, std::vector<GivenSetting>& conditional,
                ElementReader& reader) {
  std::set<std::pair<const Component*, std::string>> given;
  for (const Element& start : starts) {
    for (const tinyxml2::XMLAttribute* a = start.xml->FirstAttribute(); a != nullptr; a = a->Next()) {
      if (reader.is_finished()) return;
      const std::optional<std::string> value = reader.Value(start, *a);
      if (!value) continue;
      Fault fault;
      const auto assignment = system.FindStart(*start.scope, a->Name(), *value, &fault);
      if (!assignment) {
        if (!reader.LeadsToRefused(*start.scope, a->Name())) reader.Error(start, *a, fault);
      } else if (!given.emplace(start.scope, a->Name()).second) {
        reader.Error(start, *a, "a second start value of " + Quoted(a->Name()) + "; keep one of them");
      } else {
        system.ApplyAtLoad(*assignment);
        const SourceLocation place = reader.Place(start, *a);
        if (assignment->item.kind() == Item::Kind::kState) system.AddGivenStart({assignment->item, place});
        if (!assignment->item.when().is_always()) conditional.push_back({assignment->item, place});
      }
    }
  }
}

/// Calls a hook of a component. An exception that leaves it is a fault of its model.
template <class Hook>
void Call(const Component& component, Diagnostics& diagnostics, Hook hook) {
  try {
    hook();
  } catch (const std::exception& fault) {
    diagnostics.Error(component.location(), component.DisplayPath(),
                      "the code of " + std::string(component.model().name) + " threw an exception: " +
                          fault.what() + "; correct the model, or the values it was given");
  }
}

template <class Hook>
void CallEach(System& system, Diagnostics& diagnostics, Hook hook) {
  for (Component* component : system.components()) Call(*component, diagnostics, [&] { hook(*component); });
}

std::shared_ptr<const FileSource> FilesOf(const LoadOptions& options) {
  return options.files != nullptr ? options.files : std::make_shared<const DiskFiles>();
}

std::unique_ptr<System> Load(const SystemSource& source, const Registry& registry, const LoadOptions& options,
                             Diagnostics& diagnostics) {
  auto system = std::make_unique<System>(registry);
  system->units().Learn(options.units);
  const std::shared_ptr<const FileSource> files = FilesOf(options);
  system->set_files(files);
  if (source.text || source.description != nullptr) files->Remember(source.file);
  ElementReader reader(diagnostics, options.reason_to_stop);
  TreeReader tree(*system, reader, options.most_components);
  if (!tree.Read(source)) return nullptr;
  if (options.levels) tree.ReadOutsideLevels(*options.levels);
  const LaterElements& later = tree.later();

  GivenParameters given = tree.given();
  std::vector<Assignment> late_sets;
  // Levels set all aspects; what is set alone comes after.
  for (const std::string& level : options.level) ApplyLevelOption(level, *system, given, reader);
  for (const std::string& set : options.params) {
    for (const SetParameter& parameter : ReadParameterSet(set, *files, system->units(), diagnostics)) {
      if (const auto start =
              ApplyFromOutside(parameter.path, parameter.value, parameter.location, *system, given, reader))
        late_sets.push_back(*start);
    }
  }
  for (const std::string& set : options.set) {
    if (const auto start = ApplySetOption(set, *system, given, reader)) late_sets.push_back(*start);
  }
  if (options.levels) {
    BeginOutsideLevels(*system, options, reader);
  } else {
    BeginAutomaticLevels(*system, given);
  }
  HandDownDefaults(*system, given, reader);
  CallEach(*system, diagnostics, [&](Component& component) { component.Configure(diagnostics); });
  std::vector<GivenSetting> conditional = tree.TakeConditional();
  ReadStarts(later.starts, *system, conditional, reader);
  for (const Assignment& assignment : late_sets) system->ApplyAtLoad(assignment);

  WiringReader wiring(*system, reader);
  wiring.ReadExposes(later.exposes);
  wiring.ReadConnects(later.connects);
  for (Component* component : system->components()) {
    const std::size_t errors = diagnostics.error_count();
    Call(*component, diagnostics, [&] { component->Link(*system, diagnostics); });
    if (diagnostics.error_count() > errors) reader.NoteRefused(component->path());
  }
  wiring.ReadRoutes(later.routes);
  wiring.CheckMandatory();
  CallEach(*system, diagnostics, [](Component& component) { component.ParametersChanged(); });
  for (Component* component : system->components()) {
    if (wiring.IsExcused(*component)) continue;
    Call(*component, diagnostics, [&] { component->CheckConnections(diagnostics); });
  }
  ScheduleReader schedule(*system, reader);
  if (options.levels) {
    schedule.ReadLevels(later.ats, later.levels);
  } else {
    schedule.Read(later.ats);
  }
  schedule.Finish(options.at);
  LayoutReader(*system, reader).Read(later.places, later.notes);
  PanelReader(*system, reader).Read(later.panels);
  WarnOfUnusedSettings(conditional, reader);
  RecordReader(*system, reader).Read(later.records, options);
  return system;
}

}  // namespace

std::unique_ptr<System> LoadSystem(SystemSource source, const Registry& registry, const LoadOptions& options,
                                   Diagnostics& diagnostics) {
  const SystemImporter* const importer = registry.FindImporter(source.file.extension().string());
  if (source.text || source.description != nullptr || importer == nullptr)
    return Load(source, registry, options, diagnostics);
  LoadOptions own = options;
  own.files = FilesOf(options);
  std::vector<std::filesystem::path> parameters;
  std::erase_if(own.params, [&](const std::string& one) {
    const std::string extension = std::filesystem::path(one).extension();
    const bool is_theirs = !extension.empty() && extension == importer->parameter_extension;
    if (is_theirs) parameters.emplace_back(one);
    return is_theirs;
  });
  source.description = importer->import(source.file, parameters, registry, *own.files, diagnostics);
  return source.description == nullptr ? nullptr : Load(source, registry, own, diagnostics);
}

}  // namespace davit
