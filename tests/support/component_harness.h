#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/registry.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Components under test, made and joined by hand: no system file, no manager.
///
/// Order of calls: Add, Set..., Attach and Connect, Start; then Evaluate, Read, Integrate. All names are
/// those of a system file, all values SI; a name that does not exist throws std::out_of_range. Efforts are
/// evaluated in the order of Add, flows in the opposite order: volumes and masses are added first, then what
/// reads their efforts and motion, signal sources last.
class ComponentHarness {
 public:
  template <class Model>
  Model& Add(std::string name) {
    if (registry_.Find(Model::kInfo.name) == nullptr) registry_.Add<Model>();
    auto component = std::make_unique<Model>();
    Model& added = *component;
    Adopt(std::move(component), *registry_.Find(Model::kInfo.name), std::move(name));
    return added;
  }

  /// A parameter, an input that nothing is routed to, or a property (as text).
  void Set(Component& component, std::string_view name, double value);
  void Set(Component& component, std::string_view name, std::string_view text);
  /// A start value, or the start of a state where there is no start value of this name.
  void SetStart(Component& component, std::string_view name, double value);

  /// Joins the port to a new bond whose other side is the test's.
  template <class B>
  B& Attach(Component& component, std::string_view port) {
    Bond& bond = MakeBond(B::kDomain);
    FindPort(component, port).port->Attach(bond);
    return static_cast<B&>(bond);
  }
  HydraulicBond& AttachHydraulic(Component& component, std::string_view port) {
    return Attach<HydraulicBond>(component, port);
  }
  TranslationalBond& AttachTranslational(Component& component, std::string_view port) {
    return Attach<TranslationalBond>(component, port);
  }
  /// Joins a C and a Q port.
  void Connect(Component& first, std::string_view first_port, Component& second,
               std::string_view second_port);

  /// Lets an input read an output.
  void Route(const Component& from, std::string_view output, const Component& to, std::string_view input);

  /// Everything up to the first evaluation, which is done too. Returns what the components complained about.
  Diagnostics Start();
  /// After a parameter changed.
  void Apply(DynamicSimComponent& component) { component.ParametersChanged(); }

  void Evaluate(double t = 0);
  /// `steps` steps of the classical Runge-Kutta method from t, with the hooks around each; evaluates last.
  void Integrate(double t, double h, std::size_t steps);

  /// The present value of an output, a state, or the derivative of a state (`x.ddt`).
  double Read(const Component& component, std::string_view name) const;

 private:
  void Adopt(std::unique_ptr<DynamicSimComponent> component, const ModelEntry& entry, std::string name);
  static const PortDeclaration& FindPort(const Component& component, std::string_view name);
  Bond& MakeBond(const Domain& domain);

  Registry registry_;
  UnitSystem units_;
  Component root_;
  std::map<std::string_view, std::unique_ptr<BondPool>> bonds_;  ///< by domain
  std::vector<std::unique_ptr<DynamicSimComponent>> components_;
};

}  // namespace davit
