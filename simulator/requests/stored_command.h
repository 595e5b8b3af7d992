#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "framework/archive.h"
#include "framework/system.h"

namespace davit {

/// A command in words, for whoever keeps it beyond the run: snapshots, recordings.
struct StoredCommand {
  enum class Kind : std::uint8_t { kWrite, kMessage, kEvent };
  Kind kind = Kind::kWrite;
  double time = 0;
  std::string sender;
  std::string path;  ///< of an item; of the component for a message or event, empty for all charts
  std::string text;  ///< the value; the name of the message or event

  static StoredCommand Of(const Command& command);
  /// The command in a system; nothing where it has no such item, and `fault` says why.
  std::optional<Command> Find(const System& system, Fault* fault) const;
  void ArchiveMemory(Archive& archive) { archive(kind, time, sender, path, text); }
  /// Whoever sends it again after loading sends the same but for its name.
  bool IsSame(const StoredCommand& other) const {
    return kind == other.kind && time == other.time && path == other.path && text == other.text;
  }
};

}  // namespace davit
