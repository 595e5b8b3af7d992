#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "framework/diagnostics.h"
#include "framework/system.h"

namespace davit {

/// One line of a command stream: one of CommandVerbs() with its words, with a time in front or without.
struct CommandLine {
  enum class Action : std::uint8_t {
    kNone,      ///< an empty line, or a remark that begins with #
    kCommand,   ///< `command`
    kPause,     ///< the run pauses
    kContinue,  ///< the run resumes
    kStop,      ///< the run ends
    kGet,       ///< the value of the item `argument` is asked for
    kList,      ///< the paths that match the glob `argument`
    kSave,      ///< the state is written to the file `argument`
    kLoad,      ///< the state is read from the file `argument`
    kUntil,     ///< the run resumes and pauses at `time`, or when the condition `argument` becomes true
    kGoTo,      ///< the run goes to `time`, which it has passed
    kBack,      ///< the run goes one step back, or to where the condition `argument` became true
    kBranch,    ///< the run goes to the branch `argument`; empty: branches are asked for
    kWhy,       ///< the causes of the item `argument` are asked for, at `time` if there is one
    kQuit,      ///< the run ends, with an answer
    kHelp,      ///< how commands are written: `argument`, or all
  };
  Action action = Action::kNone;
  std::optional<double> time;      ///< T [s]; nothing: at once
  std::optional<Command> command;  ///< its time is not set
  std::string argument = {};
};

/// Reads a line; values are read as those of `<At>`. Faults go to `diagnostics` at `place`; then there is no
/// result.
std::optional<CommandLine> ParseCommandLine(const System& system, std::string_view line,
                                            const SourceLocation& place, Diagnostics& diagnostics);

}  // namespace davit
