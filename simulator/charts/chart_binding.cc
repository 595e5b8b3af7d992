#include "simulator/charts/chart_binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "framework/aspect.h"
#include "framework/nearest_name.h"
#include "framework/property.h"
#include "framework/syntax/value_unit.h"
#include "framework/xml/xml_file.h"
#include "simulator/charts/chart_set.h"
#include "statecharts/chart_loader.h"

namespace davit {
namespace {

/// Default charts have no delays, and in a step as many events as their component has aspects and modes.
constexpr SessionLimits kDefaultChartLimits{.internal_events = 8,
                                            .external_events = 64,
                                            .posted_events = 16,
                                            .delayed_events = 4,
                                            .most_sessions = 2};

ValueType TypeOf(ValueKind kind) {
  switch (kind) {
    case ValueKind::kCondition: return ValueType::kBoolean;
    case ValueKind::kOption: return ValueType::kString;
    default: return ValueType::kNumber;
  }
}

/// Nothing of an item that is no number, or that takes any unit.
std::optional<Dimension> DimensionOfItem(const Item& item, const System& system) {
  if (TypeOf(item.value_kind()) != ValueType::kNumber) return std::nullopt;
  const std::string unit = item.unit();
  return unit == kAnyUnit ? std::nullopt : DimensionOf(unit, system.units());
}

/// The options of an item as symbols.
std::vector<SymbolId> SymbolsOf(const Item& item, SymbolTable& symbols) {
  std::vector<SymbolId> all;
  for (const std::string_view option : item.options()) all.push_back(symbols.Add(option));
  return all;
}

}  // namespace

ChartBinding::ChartBinding(Component& node) : node_(node), outputs_(node), log_(node) {
  node.mutable_declarations().event_receiver = this;
}

void ChartBinding::Load(System& system, ChartSet& charts, Component& scope, const std::filesystem::path& file,
                        const SourceLocation& place, Diagnostics& diagnostics) {
  system_ = &system;
  charts_ = &charts;
  scope_ = &scope;
  file_ = file;
  place_ = place;
  belongs_to_component_ = !IsContainer(scope);
  charts.Add(*this);
  Diagnostics found;
  chart_ = Compile(found);
  is_loaded_ = true;
  if (!has_open_names_) diagnostics.Add(found);
  if (chart_ != nullptr) outputs_.Make(*chart_, is_default(), diagnostics);
}

void ChartBinding::LoadDefault(System& system, ChartSet& charts, Component& scope, std::string text,
                               const std::filesystem::path& file, Diagnostics& diagnostics) {
  text_ = std::move(text);
  log_.set_severity(RunLog::Severity::kDetail);
  Load(system, charts, scope, file, node_.location(), diagnostics);
}

std::shared_ptr<const Chart> ChartBinding::Compile(Diagnostics& diagnostics) {
  has_open_names_ = false;
  signals_.clear();
  writes_.clear();
  messages_.clear();
  receivers_.clear();
  TextResult text = text_ ? TextResult{*text_, {}} : ReadTextFrom(system_->files(), file_, "chart");
  if (!text.fault.empty()) {
    diagnostics.Error(place_, node_.DisplayPath(), text.fault);
    return nullptr;
  }
  ChartLoadOptions options;
  options.host = this;
  options.symbols = charts_->symbols();
  options.cache = std::make_shared<ChartCache>();
  options.cache->open.insert(std::filesystem::weakly_canonical(file_));
  return LoadChartText(std::move(text.text), file_, options, diagnostics);
}

const UnitSystem* ChartBinding::units() const { return system_ == nullptr ? nullptr : &system_->units(); }

const FileSource* ChartBinding::files() const { return system_ == nullptr ? nullptr : system_->files(); }

void ChartBinding::Finish(Diagnostics& diagnostics) {
  if (!is_loaded_ || table_ != nullptr) return;
  if (has_open_names_) chart_ = Compile(diagnostics);
  if (chart_ == nullptr) return;
  CheckWrites(diagnostics);
  gate_.set_time(chart_->dwell);
  for (Write& write : writes_) {
    if (write.target.is_behaviour()) write.gate_item = gate_.AddItem(write.target.owner());
  }
  table_ = std::make_unique<SessionTable>(chart_, this, &log_,
                                          is_default() ? kDefaultChartLimits : SessionLimits{});
}

void ChartBinding::CheckWrites(Diagnostics& diagnostics) const {
  for (const Instruction& instruction : chart_->instructions) {
    if (instruction.op != Op::kAssign) continue;
    const Index property = chart_->assignments[instruction.index].property;
    if (property == kNoIndex) continue;
    Fault fault;
    if (!System::MayWrite(writes_[chart_->properties[property].handle].target, &fault)) {
      diagnostics.Error(chart_->At(instruction.line), node_.DisplayPath(), fault);
    }
  }
}

bool ChartBinding::LeadsToLaterChart(const Component& scope, std::string_view path) const {
  const auto* chart =
      dynamic_cast<const ChartBinding*>(system_->OwnerOf(scope, path).declarations().event_receiver);
  return chart != nullptr && chart != this && !chart->is_loaded_;
}

void ChartBinding::NoteFault(const Component& scope, std::string_view path, const Fault& fault) {
  // A short name is one of the component's own, a path begins in what contains the component.
  const bool is_short = path.find('.') == std::string_view::npos;
  const bool is_meant = is_short ? &scope == scope_ : IsContainer(scope);
  if (is_meant && remedy_.empty()) remedy_ = fault.remedy;
}

std::string ChartBinding::Suggest(std::string_view /*path*/) const {
  return remedy_.empty() ? "write component.signal" : remedy_;
}

ChartHost::Found ChartBinding::AddSignal(const Item& item, SymbolTable& symbols) {
  signals_.push_back({item, SymbolsOf(item, symbols)});
  return {static_cast<std::uint32_t>(signals_.size() - 1), TypeOf(item.value_kind()), signals_.back().options,
          DimensionOfItem(item, *system_)};
}

std::optional<ChartHost::Found> ChartBinding::FindSignal(std::string_view path, SymbolTable& symbols) {
  remedy_.clear();
  for (const Component* scope = scope_; scope != nullptr; scope = scope->parent()) {
    Fault fault;
    if (const auto variable = system_->FindVariable(*scope, path, &fault))
      return AddSignal(*variable, symbols);
    Fault no_property;
    const auto setting = system_->FindSetting(*scope, path, &no_property);
    if (setting && setting->property() != nullptr && setting->value_kind() != ValueKind::kText) {
      return AddSignal(*setting, symbols);
    }
    if (LeadsToLaterChart(*scope, path)) {
      has_open_names_ = true;
      return Found{0, ValueType::kAnyType, {}};
    }
    NoteFault(*scope, path, fault);
  }
  return std::nullopt;
}

std::optional<ChartHost::Found> ChartBinding::FindProperty(std::string_view path, SymbolTable& symbols) {
  remedy_.clear();
  for (const Component* scope = scope_; scope != nullptr; scope = scope->parent()) {
    Fault fault;
    const std::optional<Item> target = system_->FindSetting(*scope, path, &fault);
    if (!target) {
      NoteFault(*scope, path, fault);
      continue;
    }
    if (target->is_structural() || target->value_kind() == ValueKind::kText) {
      remedy_ = "it is fixed during a run: set it in the system file";
      return std::nullopt;
    }
    writes_.push_back({*target, SymbolsOf(*target, symbols)});
    return Found{static_cast<std::uint32_t>(writes_.size() - 1), TypeOf(target->value_kind()),
                 writes_.back().options, DimensionOfItem(*target, *system_)};
  }
  return std::nullopt;
}

std::optional<std::uint32_t> ChartBinding::FindMessage(std::string_view component, std::string_view message) {
  remedy_.clear();
  for (const Component* scope = scope_; scope != nullptr; scope = scope->parent()) {
    Fault fault;
    if (const auto found = system_->FindMessage(*scope, component, message, &fault)) {
      messages_.push_back(*found);
      return static_cast<std::uint32_t>(messages_.size() - 1);
    }
    if (IsContainer(*scope) && remedy_.empty()) remedy_ = fault.remedy;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> ChartBinding::FindReceiver(std::string_view component) {
  for (const Component* scope = scope_; scope != nullptr; scope = scope->parent()) {
    Fault fault;
    const Component* found = system_->FindComponent(*scope, component, &fault);
    if (found == nullptr) continue;
    auto* chart = dynamic_cast<ChartBinding*>(found->declarations().event_receiver);
    if (chart == nullptr) return std::nullopt;
    receivers_.push_back(chart);
    return static_cast<std::uint32_t>(receivers_.size() - 1);
  }
  return std::nullopt;
}

double ChartBinding::ReadSignal(std::uint32_t handle) const {
  const Signal& signal = signals_[handle];
  if (is_default() && !scope_->chooses_its_level()) {
    // It waits for nothing that indicators say, and who looks at them must not change what it remembers.
    const OutputDeclaration* const output = signal.item.output();
    if (output != nullptr && output->is_indicator) return 0;
  }
  const double value = signal.item.Read();
  if (signal.options.empty()) return value;
  const bool is_option = value >= 0 && value < static_cast<double>(signal.options.size());
  return is_option ? signal.options[static_cast<std::size_t>(value)] : kNoSymbol;
}

bool ChartBinding::WriteProperty(std::uint32_t handle, double value) {
  Write& write = writes_[handle];
  if (!write.options.empty()) {
    const auto option = std::ranges::find(write.options, static_cast<SymbolId>(value));
    if (option == write.options.end()) return false;
    value = static_cast<double>(option - write.options.begin());
  }
  return write.target.IsValid(value) && charts_->Ask(*this, write, value);
}

void ChartBinding::SendMessage(std::uint32_t handle) { charts_->Ask(*this, messages_[handle]); }

bool ChartBinding::SendEvent(std::uint32_t handle, Event&& event) {
  if (event.name != kNoSymbol)
    receivers_[handle]->log_.ReportSent(node_, charts_->symbols()->Text(event.name));
  return charts_->Send(*this, *receivers_[handle], std::move(event));
}

const Item& ChartBinding::GateItem(std::size_t gate_item) const {
  // Only switches have items, and these are numbered in the order of the writes.
  return std::ranges::find_if(
             writes_,
             [&](const Write& write) { return write.target.is_behaviour() && write.gate_item == gate_item; })
      ->target;
}

void ChartBinding::Enter(double t) {
  const std::uint64_t lost = lost_events();
  gate_.Reset();
  table_->Enter(t);
  log_.Restart(*table_, lost);
  outputs_.Forget();
}

Fault ChartBinding::CheckEvent(std::string_view event) const {
  if (chart_ == nullptr) return {};  // its faults are reported
  std::vector<std::string> known;
  for (const std::string& descriptor : chart_->descriptor_texts) {
    const bool is_taken = descriptor.empty() || event == descriptor ||
                          (event.starts_with(descriptor) && event.substr(descriptor.size()).starts_with('.'));
    if (is_taken && !event.empty()) {
      charts_->symbols()->Add(event);
      return {};
    }
    known.push_back(descriptor);
  }
  return {"the chart takes no event " + Quoted(event), SuggestName("it takes", event, known)};
}

bool ChartBinding::PostEvent(std::string_view event) {
  PostedEvent posted;
  posted.name = charts_->FindEvent(event);
  return posted.name != kNoSymbol && table_->Post(posted);
}

void ChartBinding::ArchiveMemory(Archive& archive) {
  archive(log_, gate_);
  std::string sessions;
  if (!archive.is_loading()) {
    const std::vector<std::byte> bytes = table_->Save();
    if (bytes.empty()) {
      throw std::runtime_error(
          fmt::format("{}: its chart runs a script (datamodel=\"ecmascript\"), whose variables cannot be "
                      "saved, so there is "
                      "no snapshot of this system; write the chart with datamodel=\"davit\"",
                      node_.DisplayPath()));
    }
    sessions.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  archive(sessions);
  if (!archive.is_loading() || !archive.is_good()) return;
  if (!table_->Restore(std::as_bytes(std::span(sessions)))) return archive.Refuse("it is of another chart");
  outputs_.Forget();
}

}  // namespace davit
