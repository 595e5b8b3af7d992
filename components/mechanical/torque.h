#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Source of a given torque.
class Torque final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      "mechanical.Torque",
      "Torque given by a signal",
      {},
      "c = torque, Zc = 0\n"
      "A positive torque drives what is connected away: an inertia connected by its side a turns along\n"
      "+w, one connected by its side b along -w.\n"};

  Torque();

  void EvaluateEfforts(double /*t*/) override { port->c = torque; }

 private:
  RotationalPort port{this, "port", Role::kC, "What the torque acts on"};
  Input torque{this, "torque", "N.m", "Torque, positive in driving"};
};

}  // namespace davit
