#include "framework/xml/hand_down.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "framework/defaults_provider.h"
#include "framework/nearest_name.h"
#include "framework/range.h"

namespace davit {
namespace {

struct Provider {
  Component* component;
  DefaultsProvider* defaults;
};

/// Those of each scope.
using Providers = std::map<const Component*, std::vector<Provider>>;

Providers FindProviders(const System& system, ElementReader& reader) {
  Providers providers;
  for (Component* component : system.components()) {
    auto* defaults = dynamic_cast<DefaultsProvider*>(component);
    if (defaults == nullptr) continue;
    std::vector<Provider>& here = providers[component->parent()];
    const auto first = std::ranges::find(
        here, &component->model(), [](const Provider& provider) { return &provider.component->model(); });
    if (first == here.end()) {
      here.push_back({component, defaults});
    } else {
      reader.ErrorAt(component->location(), *component,
                     "a second " + std::string(component->model().name) + " next to " +
                         Quoted(first->component->name()) + " of line " +
                         std::to_string(first->component->location().line) +
                         "; keep one of them, or put this one into a sub-system with its components");
    }
  }
  return providers;
}

/// The nearest of each model, from the component upwards.
std::vector<Provider> ProvidersOf(const Component& component, const Providers& providers) {
  std::vector<Provider> nearest;
  for (const Component* scope = component.parent(); scope != nullptr; scope = scope->parent()) {
    const auto here = providers.find(scope);
    if (here == providers.end()) continue;
    for (const Provider& provider : here->second) {
      const auto is_same = [&](const Provider& other) {
        return &other.component->model() == &provider.component->model();
      };
      if (std::ranges::none_of(nearest, is_same)) nearest.push_back(provider);
    }
  }
  return nearest;
}

}  // namespace

void HandDownDefaults(System& system, const GivenParameters& given, ElementReader& reader) {
  const Providers providers = FindProviders(system, reader);
  if (providers.empty()) return;
  std::vector<System::HandedDown> handed_down;
  for (Component* component : system.components()) {
    const std::vector<Provider> nearest = ProvidersOf(*component, providers);
    std::vector<ParameterDeclaration>& parameters = component->mutable_declarations().parameters;
    for (ParameterDeclaration& parameter : parameters) {
      if (given.contains(parameter.value)) continue;
      for (const Provider& provider : nearest) {
        if (provider.component == component) continue;
        const std::optional<double> value = provider.defaults->DefaultFor(*component, parameter);
        if (!value) continue;
        if (parameter.range.Contains(*value)) {
          *parameter.value = *value;
          handed_down.push_back({component, static_cast<std::size_t>(&parameter - parameters.data()),
                                 provider.component, provider.defaults});
        } else {
          reader.ErrorAt(provider.component->location(), *provider.component,
                         fmt::format("{} would be {} {} at {}; it should be {}", parameter.label.name, *value,
                                     parameter.label.unit, component->DisplayPath(),
                                     ToText(parameter.range, parameter.label.unit)));
        }
        break;
      }
    }
  }
  std::ranges::stable_sort(handed_down, std::less{}, &System::HandedDown::provider);
  system.set_handed_down(std::move(handed_down));
}

}  // namespace davit
