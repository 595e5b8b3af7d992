#include "io/interface.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "framework/nearest_name.h"
#include "framework/system.h"

namespace davit {

Supervision::Supervision(Component* owner)
    : timeout(
          owner, "timeout", "s",
          "Real time after which a silent partner is missed: written items get their safe values; in lock "
          "step, the run ends",
          1, kPositive, Tunability::kStructural),
      lock_step(
          owner, "lock_step", "s",
          "Simulated time between exchanges at which the run waits until the partner has answered; 0: it "
          "does not wait",
          0, kNonNegative, Tunability::kStructural),
      answer(owner, "answer", "",
             "In lock step, the step that the partner has answered: the partner writes it", 0),
      step(owner, "step", "", "In lock step, the number of the exchange, from 1", OutputUse::kDrawing),
      refusals(owner, "refusals", "", "Messages that were refused, such as a text in place of a number",
               OutputUse::kDrawing),
      silent(owner, "Silent", AlarmLevel::kError, "the partner is not heard"),
      refused(owner, "Refused", AlarmLevel::kWarning, "a message of the partner was refused") {}

double Interface::rate() {
  const Supervision* const supervised = supervision();
  return supervised != nullptr && supervised->is_lock_step() ? 1 / supervised->lock_step : double{rate_};
}

void Interface::Link(System& system, Diagnostics& /*diagnostics*/) { system_ = &system; }

void Interface::CheckConnections(Diagnostics& diagnostics) {
  mappings_.clear();
  for (Component* const child : children()) {
    auto* const mapping = dynamic_cast<Mapping*>(child);
    if (mapping == nullptr) continue;
    mapping->Bind(*system_, diagnostics);
    if (mapping->item() != nullptr) mappings_.push_back(mapping);
  }
  CheckWriters(diagnostics);
  CheckPlaces(diagnostics);
  CheckLockStep(diagnostics);
}

std::optional<std::size_t> Interface::FindOwn(std::string_view item) const {
  const std::string wanted = path() + '.' + std::string(item);
  const auto found = std::ranges::find(mappings_, wanted, &Mapping::ItemPath);
  if (found == mappings_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - mappings_.begin());
}

void Interface::CheckLockStep(Diagnostics& diagnostics) {
  if (supervision() == nullptr || !supervision()->is_lock_step()) return;
  const auto refuse = [&](const Fault& fault) { diagnostics.Error(location(), DisplayPath(), fault); };
  if (rate_ != kUsualRate) refuse({"both rate and lock_step", "leave out rate: lock_step is its period"});
  const std::optional<std::size_t> answer = FindOwn("answer");
  if (!answer || !mappings_[*answer]->is_written())
    refuse({"lock step without an answer", fmt::format("let the partner write item=\"{}.answer\"", name())});
  const std::string step = path() + ".step";
  const bool has_step = std::ranges::any_of(system_->components(), [&](const Component* component) {
    const auto* const mapping = dynamic_cast<const Mapping*>(component);
    return mapping != nullptr && !mapping->is_written() && mapping->ItemPath() == step;
  });
  if (!has_step)
    refuse({"lock step without a step", fmt::format("give the partner item=\"{}.step\" to read", name())});
}

void Interface::CheckWriters(Diagnostics& diagnostics) const {
  std::map<const void*, const Mapping*> writers;
  for (const Interface* const interface : InterfacesOf(*system_)) {
    for (const Mapping* const mapping : interface->mappings_) {
      if (!mapping->is_written()) continue;
      const auto [first, is_new] = writers.emplace(mapping->item()->item().target(), mapping);
      if (is_new || interface != this) continue;
      diagnostics.Error(mapping->location(), mapping->DisplayPath(),
                        Fault{fmt::format("a second writer of {}: line {} writes it, too",
                                          Quoted(mapping->item()->path()), first->second->location().line),
                              "leave one access=\"write\""});
    }
    if (interface == this) return;  // those behind it look for themselves
  }
}

std::vector<Interface*> InterfacesOf(System& system) {
  std::vector<Interface*> interfaces;
  for (Component* const component : system.components()) {
    if (auto* const interface = dynamic_cast<Interface*>(component)) interfaces.push_back(interface);
  }
  return interfaces;
}

}  // namespace davit
