#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace davit {

/// What a study calls while it runs, in the thread that runs it.
struct StudyCalls {
  std::stop_token stop = {};  ///< once it is requested the cases that run are given up
  /// `done` of `all` cases have ended; `what` is more to show, and may be empty.
  std::function<void(std::uint64_t done, std::uint64_t all, const std::string& what)> progress = {};

  void Show(std::uint64_t done, std::uint64_t all, const std::string& what = {}) const {
    if (progress) progress(done, all, what);
  }
};

}  // namespace davit
