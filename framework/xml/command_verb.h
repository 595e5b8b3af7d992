#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "framework/xml/command_line.h"

namespace davit {

/// What a word of a command names.
enum class CommandWord : std::uint8_t {
  kNone,
  kItem,       ///< PATH of any item
  kWritable,   ///< PATH of an item that may be written
  kValue,      ///< VALUE of the item before it, with its unit
  kLevelled,   ///< PATH of a component with levels
  kLevel,      ///< LEVEL of the component before it
  kReceiver,   ///< PATH of a component with messages
  kMessage,    ///< NAME of a message of the component before it
  kText,       ///< TEXT that goes with a message
  kEvent,      ///< NAME of an event
  kGlob,       ///< GLOB of paths
  kFile,       ///< FILE
  kTime,       ///< T
  kMoment,     ///< T, or a condition
  kCondition,  ///< EXPR, a condition over the values of the system
  kBranch,     ///< BRANCH of a recorded run
  kVerb,       ///< COMMAND
};

/// A command of a running system. Whoever reads, completes, explains or lists commands does it by this.
struct CommandVerb {
  std::string_view name;
  CommandLine::Action action = CommandLine::Action::kCommand;
  bool may_have_time = true;           ///< `[T]` in front
  std::array<CommandWord, 3> words{};  ///< behind the name
  std::size_t least_words = 0;         ///< how many of them are needed
  std::string_view example;
  std::string_view text;

  /// Words in the line behind the name; values, times and names of files may have blanks inside.
  std::size_t most_words() const;
};

std::span<const CommandVerb> CommandVerbs();

/// Null where there is none of this name.
const CommandVerb* FindCommandVerb(std::string_view name);

/// How it is written: `[T] set PATH VALUE`.
std::string UsageOf(const CommandVerb& verb);

}  // namespace davit
