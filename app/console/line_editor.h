#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/complete_command.h"

namespace davit {

/// Reads lines at a terminal, with editing keys, history and completion, by libedit.
///
/// Ctrl-C drops the line. Outside of Read the terminal is as it was found.
class LineEditor {
 public:
  /// `line` is what is before the cursor.
  using Completer = std::function<Completion(std::string_view line)>;

  /// Reads the history from the file if it is there; empty: no file.
  LineEditor(Completer complete, std::filesystem::path history);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// A line without its end; nothing at the end of the input (Ctrl-D).
  std::optional<std::string> Read(std::string prompt);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace davit
