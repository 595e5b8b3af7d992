#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "framework/diagnostics.h"
#include "framework/system.h"

namespace davit {

/// One line of a command stream:
///
///     [T] set PATH VALUE | level PATH LEVEL | message PATH NAME | event NAME | pause | continue | stop
struct CommandLine {
  enum class Action : std::uint8_t {
    kNone,      ///< an empty line, or a remark that begins with #
    kCommand,   ///< `command`
    kPause,     ///< the run pauses
    kContinue,  ///< the run resumes
    kStop,      ///< the run ends
  };
  Action action = Action::kNone;
  std::optional<double> time;      ///< T [s]; nothing: at once
  std::optional<Command> command;  ///< its time is not set
};

/// Reads a line; values are read as those of `<At>`. Faults go to `diagnostics` at `place`; then there is no
/// result.
std::optional<CommandLine> ParseCommandLine(const System& system, std::string_view line,
                                            const SourceLocation& place, Diagnostics& diagnostics);

}  // namespace davit
