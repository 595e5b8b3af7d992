#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "hopsan/laws/flow.h"

namespace davit::hopsan {

/// The value of a function whose N arguments seldom change, such as parameters: found anew where one has.
template <std::size_t N, class Value = double>
class Memo {
 public:
  Memo() { arguments_.fill(std::numeric_limits<double>::quiet_NaN()); }
  template <class Function>
  [[gnu::always_inline]] const Value& Of(const std::array<double, N>& arguments, const Function& function) {
    bool is_same = true;
    ForEachPlace<N>([&](std::size_t i) { is_same = is_same && arguments[i] == arguments_[i]; });
    if (!is_same) [[unlikely]] {
      arguments_ = arguments;
      value_ = function();
    }
    return value_;
  }

 private:
  std::array<double, N> arguments_;
  Value value_{};
};

}  // namespace davit::hopsan
