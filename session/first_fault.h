#pragma once

#include <exception>

namespace davit {

/// Does several things of which each may fail, and throws on the first fault when all are done.
class FirstFault {
 public:
  template <class Call>
  void Try(Call call) {
    try {
      call();
    } catch (...) {
      if (!fault_) fault_ = std::current_exception();
    }
  }
  void Rethrow() {
    if (fault_) std::rethrow_exception(fault_);
  }

 private:
  std::exception_ptr fault_;
};

}  // namespace davit
