#pragma once

#include <memory>

#include "framework/units/unit_system.h"

namespace davit {

/// The units of expressions: those of a system, or own ones, which are made when the first unit is read.
class ExpressionUnits {
 public:
  explicit ExpressionUnits(const UnitSystem* units = nullptr) : units_(units) {}

  const UnitSystem& get() const {
    if (units_ == nullptr) {
      own_ = std::make_unique<const UnitSystem>();
      units_ = own_.get();
    }
    return *units_;
  }

 private:
  mutable const UnitSystem* units_;
  mutable std::unique_ptr<const UnitSystem> own_;
};

}  // namespace davit
