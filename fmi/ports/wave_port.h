#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "fmi/ports/port_member.h"
#include "framework/port.h"
#include "framework/property.h"
#include "framework/signal.h"
#include "framework/tree/file_described.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/tlm_component.h"

namespace davit {

class Registry;

/// Where power crosses the border of a system: what the two sides tell each other are inputs and variables of
/// this component, so that whoever is outside can join it to a line.
class WavePort : public FileDescribed {
 public:
  /// A variable of the port, seen from outside.
  struct Variable {
    std::string member;  ///< `c`, `Zc`, `q`, `p`
    std::string item;    ///< seen from the component: `c`, `port.q`
    bool is_input = false;
  };

  void DeclareItems(const Attributes& attributes, const UnitSystem& units, Diagnostics& diagnostics) final;
  bool has_sampled_signals() const final { return true; }

  /// Null where the attributes were wrong.
  const Domain* domain() const { return domain_; }
  /// Of the system behind it, as a component: Q where the outside offers the waves.
  Role role_of_system() const { return role_ == Role::kC ? Role::kQ : Role::kC; }
  const std::vector<Variable>& variables() const { return variables_; }
  /// The name of the port outside.
  std::string NameOutside() const;

 protected:
  WavePort(DynamicSimComponent& component, Role role);
  ~WavePort() = default;
  WavePort(const WavePort&) = delete;
  WavePort& operator=(const WavePort&) = delete;

  /// Writes what the outside has said into the bond; `only_early`: what EvaluateEfforts may write.
  void Tell(bool only_early = false);
  /// Shows what is no variable of the port by itself.
  void Show();

 private:
  struct InputLink {
    PortMember member;
    const Input* input;
  };
  struct OutputLink {
    PortMember member;
    Output* output;
  };

  DynamicSimComponent& component_;
  Role role_;
  const Domain* domain_ = nullptr;
  std::optional<AnyPort> port_;
  std::deque<Input> inputs_;
  std::deque<Output> outputs_;
  std::vector<InputLink> input_links_;
  std::vector<OutputLink> output_links_;
  Output* temperature_ = nullptr;
  std::vector<Variable> variables_;
  Property<std::string> domain_name_;
  Property<std::string> outside_;
};

/// The outside is a line: it offers c and Zc, and the system answers with flow.
class WavePortC final : public TlmComponent, public WavePort {
 public:
  static constexpr ModelInfo kInfo{
      .name = "fmi.PortC",
      .text = "Open Q port of a system: c and Zc come from outside, as from a line",
      .equations = R"(
p = c + Zc*q with the inputs c and Zc (docs/fmi.md), in the names of the domain. Between two steps c is that of
the last communication point; inside a step it changes linearly to the new one, as behind a line.
Example: domain="hydraulic"
)",
  };
  WavePortC() : WavePort(static_cast<DynamicSimComponent&>(*this), Role::kC) {}

  void InitializeWaves() override {
    Tell();
    Show();
  }
  bool SettleWaves() override {
    InitializeWaves();
    return true;
  }
  void SimulateOneTimestep(double /*t*/) override { Tell(); }
  void PostIntegrate() override { Show(); }
};

/// The outside is a restriction, a mass or the like: it answers with flow, and the system offers c and Zc.
class WavePortQ final : public DynamicSimComponent, public WavePort {
 public:
  static constexpr ModelInfo kInfo{
      .name = "fmi.PortQ",
      .text = "Open C port of a system: the flow comes from outside",
      .equations = R"(
p = c + Zc*q with the input q (docs/fmi.md), in the names of the domain. The input holds during a step.
Example: domain="hydraulic"
)",
  };
  WavePortQ() : WavePort(static_cast<DynamicSimComponent&>(*this), Role::kQ) {}

  void PreIntegrate() override { Tell(); }
  void EvaluateEfforts(double /*t*/) override { Tell(true); }
  void EvaluateDiffEquations(double /*t*/) override {
    Tell();
    Show();
  }
};

/// Registers fmi.PortC and fmi.PortQ.
void RegisterWavePorts(Registry& registry);

}  // namespace davit
