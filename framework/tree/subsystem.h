#pragma once

#include "framework/component.h"
#include "framework/parameter.h"
#include "framework/tree/note_board.h"

namespace davit {

/// The components of another file under one name: the element `<Subsystem>`.
class Subsystem final : public Component, public NoteBoard {
 public:
  static constexpr ModelInfo kInfo{.name = "Subsystem", .text = "Components of another file under one name"};

  /// The TimeStep of all components inside that have none of their own [s]; 0 for that of the outer system.
  double time_step() const { return time_step_; }

 private:
  Parameter time_step_{
      this,
      "TimeStep",
      "s",
      "TimeStep of the components inside, an integer multiple or submultiple of that of the system",
      0.0,
      kNonNegative,
      Tunability::kStructural};
};

}  // namespace davit
