#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/system.h"
#include "framework/xml/element_reader.h"

namespace davit {

/// The place of an option of the command line in diagnostics: `--set load.mass=5`, without a line.
SourceLocation OptionPlace(std::string_view option, std::string_view text);

/// A time [s] that is not before the run and not below zero; nothing after an error. The start time of the
/// run counts where it is negative.
std::optional<double> ReadTime(System& system, ElementReader& reader, std::string_view text,
                               const SourceLocation& place, const Component& scope);

/// The same for a caller that reports faults in another way.
std::optional<double> ParseTime(const System& system, std::string_view text, Fault* fault);

/// The pass of loading that reads what shall happen at given times: `<At>` and `--at`.
class ScheduleReader {
 public:
  ScheduleReader(System& system, ElementReader& reader) : system_(system), reader_(reader) {}

  /// The `<At>` of the system.
  void Read(const std::vector<Element>& ats);
  /// Those that change no level or aspect, and the `<At>` of a schedule of levels.
  void ReadLevels(const std::vector<Element>& ats, const std::vector<Element>& schedule);
  /// Equal times keep the order of the files; options come after the files. Post: system.commands() is
  /// complete.
  void Finish(const std::vector<std::string>& options);

 private:
  /// A write to be scheduled, as texts.
  struct Write {
    std::string path;
    std::string value;
  };

  void ReadAt(const Element& at);
  void ReadMessage(const Element& at);
  void ReadEvent(const Element& at);
  void ReadOption(const std::string& text);
  void Schedule(const std::optional<double>& time, const Write& write, const SourceLocation& place,
                const Component& scope);

  System& system_;
  ElementReader& reader_;
  std::vector<Command> commands_;
};

}  // namespace davit
