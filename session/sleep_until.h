#pragma once

#include <chrono>

namespace davit {

/// Sleeps until `when`, not longer than the scheduler needs. Nothing wakes it before.
void SleepUntil(std::chrono::steady_clock::time_point when);

}  // namespace davit
