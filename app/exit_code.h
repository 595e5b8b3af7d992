#pragma once

namespace davit {

/// Exit codes of every command.
inline constexpr int kDone = 0;
inline constexpr int kRunFailed = 1;   ///< diverged, could not write, results differ
inline constexpr int kWrongInput = 2;  ///< or wrong usage

}  // namespace davit
