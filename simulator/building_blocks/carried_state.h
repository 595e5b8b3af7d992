#pragma once

#include "framework/archive.h"

namespace davit::building_blocks {

/// A state advanced by small increments. What rounding cuts off an increment is carried over to the next one
/// (D. E. Knuth, The Art of Computer Programming, volume 2, section 4.2.2, theorem B), so that a state also
/// moves under increments below its last digit. Without this a lag of 1e4 steps would stop 1e4 digits short
/// of its end.
class CarriedState {
 public:
  void Add(double increment) {
    const double wanted = increment + carry_;
    const double sum = value_ + wanted;
    const double added = sum - value_;
    carry_ = (value_ - (sum - added)) + (wanted - added);
    value_ = sum;
  }
  void Set(double value) {
    value_ = value;
    carry_ = 0;
  }
  double value() const { return value_; }
  void ArchiveMemory(Archive& archive) { archive(value_, carry_); }

 private:
  double value_ = 0;
  double carry_ = 0;
};

}  // namespace davit::building_blocks
