#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "session/cause_log.h"

namespace davit {

class System;

/// A link of a chain of causes.
struct Reason {
  int depth = 0;  ///< 0: what is asked about; each link follows what it has brought about, one deeper
  std::optional<double> time = {};  ///< [s]; nothing: it holds all the time
  std::string path;                 ///< display path of the component or chart; may be empty
  std::string text;
};

/// `  17.2 s: /cylinder: level Standard -> Advanced`, further to the right where it is deeper.
std::string ToText(const Reason& reason);

/// Why a level, an aspect, a mode, an alarm, a chart or another item is what it is: the switch or write, who
/// asked for it, the transition with its guard, and the signals and commands behind that. `time`: the last
/// cause until then; nothing: until now. Empty where nothing is known. Throws std::invalid_argument where
/// nothing has this path.
std::vector<Reason> ReasonsOf(System& system, const CauseLog& causes, std::string_view path,
                              std::optional<double> time);

}  // namespace davit
