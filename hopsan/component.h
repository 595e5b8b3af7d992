#pragma once

#include <string>
#include <vector>

#include "framework/archive.h"
#include "framework/parameter.h"
#include "framework/port.h"
#include "framework/property.h"
#include "framework/signal.h"
#include "framework/start_value.h"
#include "hopsan/nodes.h"
#include "simulator/tlm_component.h"

namespace davit::hopsan {

/// In which phase of a step a component runs: signals, then capacitive, then resistive ones.
enum class Phase : std::uint8_t { kS, kC, kQ };

/// Of a list of components that run with one time step.
struct Clock {
  double t = 0;  ///< accumulated, as Hopsan does [s]
  double T = 0;  ///< the time step [s]
  bool is_stop_asked = false;
};

class Out;

/// The start values of a power port of a C component: one for each variable of its domain, then that of Zc,
/// named `P1_Pressure`, `P1_CharImpedance`.
struct NodeStart {
  PortBase* port = nullptr;
  const Domain* domain = nullptr;
  std::vector<const StartValue*> values;
};

/// A constant parameter of a component.
class Const : public Parameter {
 public:
  Const(Component* owner, Text name, double value, Text unit = "")
      : Parameter(owner, name, unit, "", value) {}
};

/// An input variable: `name#Value` of a file. `unit` is told to readers, not checked: signals of Hopsan have
/// no dimension.
class In : public Input {
 public:
  In(Component* owner, Text name, double value = 0, Text unit = "")
      : Input(owner, name, kAnyUnit, unit, value) {}
};

/// Base of all `hopsan.*` types: the equations of a Hopsan component with its own names, units and order.
///
///     /// out = k in
///     class SignalGain final : public SComponent {
///      public:
///       static constexpr ModelInfo kInfo{"hopsan.SignalGain", "out = k in"};
///       void Initialize() override { SimulateOneTimestep(0); }
///       void SimulateOneTimestep(double /*t*/) override { out = k * in; }
///
///      private:
///       In in{this, "in"}, k{this, "k", 1};
///       Out out{this, "out"};
///     };
///
/// Components are stepped by the `hopsan.Scheduler` of the system, not by the network of davit: t += T, all
/// S, all C, all Q, in the order of the file made topological along the signals. Call sequence: outputs,
/// nodes and start values are written by the scheduler; Initialize of all S, C, Q; then SimulateOneTimestep
/// once a step. What a component remembers from step to step it lists in ArchiveMemory.
class HopsanComponent : public TlmComponent {
 public:
  /// The network of davit leaves it alone: the scheduler steps it.
  using SteppedByAnother = void;

  Phase phase() const { return phase_; }
  /// What its power ports are.
  Role role() const { return phase_ == Phase::kC ? Role::kC : Role::kQ; }
  /// Writes what it shows at the start, from start values, the nodes and its inputs.
  virtual void Initialize() {}
  void SimulateOneTimestep(double /*t*/) override {}
  /// Whether it does anything in a step.
  virtual bool HasStep() const { return true; }
  /// Whether it must run after what writes its inputs, in the same phase. A unit delay says no: it breaks
  /// loops.
  virtual bool RunsAfterInputs() const { return true; }
  /// The same for its nodes of two signals.
  virtual bool RunsAfterNodes() const { return true; }
  bool AcceptsChild(std::string_view /*model*/) const override { return false; }

  // For the scheduler.
  void set_clock(Clock& clock) { clock_ = &clock; }
  const std::vector<Out*>& outs() const { return outs_; }
  const std::vector<NodeStart>& node_starts() const { return node_starts_; }
  /// The ports of a sensor: attributes with the name of the port they read.
  struct Sensed {
    const Property<std::string>* path;
    const Domain* domain;
    Bond** bond;
  };
  const std::vector<Sensed>& sensed() const { return sensed_; }
  /// Connected, but never initialised nor stepped: it and its nodes keep their start values.
  bool is_disabled() const { return disabled_; }
  /// Finds what sensors read.
  void Link(System& system, Diagnostics& diagnostics) override;
  /// Looks whether there is a scheduler.
  void CheckConnections(Diagnostics& diagnostics) override;

 protected:
  explicit HopsanComponent(Phase phase) : phase_(phase) {}

  /// The time step [s] and the time [s] of the step under way: accumulated.
  double T() const { return clock_->T; }
  double t() const { return clock_->t; }
  /// Whether a signal leads to the input.
  bool IsConnected(const Input& input) const;
  /// Ends the run after this step.
  void StopRun() { clock_->is_stop_asked = true; }

 private:
  friend class Out;
  template <class Node>
  friend class NodePort;
  template <class Node>
  friend class NodePorts;
  template <class Node>
  friend class ReadPort;

  /// Of a C component: start values `P1_Pressure` and so on, for a port of this domain.
  void AddNodeStart(std::string_view port, const Domain& domain, PortBase& base);

  Phase phase_;
  std::vector<Out*> outs_;
  std::vector<NodeStart> node_starts_;
  std::vector<std::unique_ptr<StartValue>> start_values_;
  std::vector<Sensed> sensed_;
  Property<bool> disabled_{this, "disabled", "Whether it keeps its start values and is never stepped",
                           Choice<bool>{.value = false}};
  // What a step reads begins here, with a cache line: the members of the types follow.
  alignas(64) Clock* clock_ = nullptr;
};

class SComponent : public HopsanComponent {
 protected:
  SComponent() : HopsanComponent(Phase::kS) {}
};
class CComponent : public HopsanComponent {
 protected:
  CComponent() : HopsanComponent(Phase::kC) {}
};
class QComponent : public HopsanComponent {
 protected:
  QComponent() : HopsanComponent(Phase::kQ) {}
};

/// An output variable. Its start value, `out#Value` of a file, is what it shows until it is first written.
class Out {
 public:
  Out(HopsanComponent* owner, Text name, double start = 0, Text unit = "")
      : value_(owner, name, kAnyUnit, unit), start_(owner, name, kAnyUnit, unit, start) {
    owner->outs_.push_back(this);
  }
  operator double() const { return value_; }  // NOLINT(google-explicit-constructor): reads like a double
  Out& operator=(double value) {
    value_ = value;
    return *this;
  }
  /// Its start value, `out#Value` of a file.
  double start() const { return start_; }
  void Begin() { value_ = start_; }

 private:
  Output value_;
  StartValue start_;
};

/// As many inputs as there are connections to this name, maybe none.
class Ins {
 public:
  Ins(HopsanComponent* owner, Text name) : inputs_(owner, name, kAnyUnit, "") {
    owner->mutable_declarations().inputs.back().is_mandatory = false;
  }
  std::size_t size() const { return inputs_.size(); }
  double operator[](std::size_t i) const { return inputs_[i]; }

 private:
  InputArray inputs_;
};

/// A power port: C or Q, as its component.
template <class Node>
class NodePort {
 public:
  NodePort(HopsanComponent* owner, Text name, Connecting connecting = Connecting::kMandatory)
      : NodePort(owner, name, owner->role(), connecting) {}
  NodePort(HopsanComponent* owner, Text name, Role role, Connecting connecting = Connecting::kMandatory)
      : port_(owner, name, role, "", connecting) {
    owner->AddNodeStart(name, Node::kDomain, port_);
  }
  bool is_connected() const { return port_.is_connected(); }
  Node& operator*() { return *port_; }
  const Node& operator*() const { return *port_; }
  Node* operator->() { return &*port_; }
  const Node* operator->() const { return &*port_; }

 private:
  Port<Node> port_;
};

/// A multi-port: as many power ports as there are connections to this name.
template <class Node>
class NodePorts {
 public:
  NodePorts(HopsanComponent* owner, Text name, Connecting connecting = Connecting::kMandatory)
      : ports_(owner, name, owner->role(), "", connecting) {
    owner->AddNodeStart(name, Node::kDomain, ports_);
  }
  std::size_t size() const { return ports_.size(); }
  Node& operator[](std::size_t i) { return ports_[i]; }
  const Node& operator[](std::size_t i) const { return ports_[i]; }

 private:
  PortArray<Node> ports_;
};

/// The port of a sensor. Its attribute names the port whose node it reads: P1="volume.P1"; of a multi-port,
/// name the port at the other side. Unconnected it reads a node of its own, at its start.
template <class Node>
class ReadPort {
 public:
  ReadPort(HopsanComponent* owner, Text name) : path_(owner, name, "Port whose node it reads") {
    owner->sensed_.push_back({&path_, &Node::kDomain, &bond_});
  }
  const Node* operator->() const { return static_cast<const Node*>(bond_); }

 private:
  Property<std::string> path_;
  Node own_;
  Bond* bond_ = &own_;
};

using Hydraulic = NodePort<HydraulicNode>;
using Mechanic = NodePort<MechanicNode>;
using Rotational = NodePort<RotationalNode>;
using Electric = NodePort<ElectricNode>;
using Pneumatic = NodePort<PneumaticNode>;
using Hydraulics = NodePorts<HydraulicNode>;
using Mechanics = NodePorts<MechanicNode>;
using Rotationals = NodePorts<RotationalNode>;
using Electrics = NodePorts<ElectricNode>;
using Pneumatics = NodePorts<PneumaticNode>;

}  // namespace davit::hopsan
