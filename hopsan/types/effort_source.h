#pragma once

#include "hopsan/component.h"

namespace davit::hopsan {

/// How a source calls its port and its effort.
struct EffortNames {
  Text port, value;
  double start;
  Text unit;
  bool is_shown_at_start = true;  ///< else the node keeps its start value until the first step
};

/// The same effort, without impedance, at a port or at several.
template <class Ports, class Value, auto effort, const ModelInfo& info, const EffortNames& names>
class EffortSource final : public CComponent {
 public:
  static constexpr ModelInfo kInfo = info;
  void Initialize() override {
    if (names.is_shown_at_start) ForEachNode([this](auto& node) { node.*effort = value; });
    SimulateOneTimestep(0);
  }
  void SimulateOneTimestep(double /*t*/) override {
    ForEachNode([this](Bond& node) {
      node.c = value;
      node.Zc = 0;
    });
  }

 private:
  template <class Visit>
  void ForEachNode(const Visit& visit) {
    if constexpr (requires { ports.size(); }) {
      for (std::size_t i = 0; i < ports.size(); ++i) visit(ports[i]);
    } else {
      visit(*ports);
    }
  }

  Ports ports{this, names.port};
  Value value{this, names.value, names.start, names.unit};
};

}  // namespace davit::hopsan
