#pragma once

#include <array>
#include <cstddef>
#include <limits>

namespace davit::hopsan {

/// The value of a function whose N arguments seldom change, such as parameters: found anew where one has.
template <std::size_t N, class Value = double>
class Memo {
 public:
  Memo() { arguments_.fill(std::numeric_limits<double>::quiet_NaN()); }
  template <class Function>
  [[gnu::always_inline]] const Value& Of(const std::array<double, N>& arguments, const Function& function) {
    if (arguments != arguments_) [[unlikely]] {
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
