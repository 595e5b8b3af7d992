#pragma once

#include "hopsan/component.h"

namespace davit::hopsan {

/// A component whose outputs are computed at the start as in a step.
class SignalType : public SComponent {
 public:
  void Initialize() override { SimulateOneTimestep(0); }
};

/// One that shows one result.
class OutSignal : public SignalType {
 protected:
  Out out{this, "out"};
};

}  // namespace davit::hopsan
