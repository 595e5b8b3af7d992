#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "framework/system.h"
#include "framework/xml/element_reader.h"

namespace davit {

struct LoadOptions;

/// The pass of loading that reads what to record: `<Record>`, `--signals`, `--interval` and `--times`. Post:
/// system.record_plan() is complete; without any of them all primary variables are recorded at every step.
class RecordReader {
 public:
  static constexpr double kShortestInterval = 1e-9;  ///< [s]; events are located no better

  RecordReader(System& system, ElementReader& reader) : RecordReader(system, reader, system.record_plan()) {}
  /// For a plan of its own.
  RecordReader(System& system, ElementReader& reader, RecordPlan& plan)
      : system_(system), reader_(reader), plan_(plan) {}

  void Read(const std::vector<Element>& records, const LoadOptions& options);
  /// Names and globs, separated by spaces; each column comes once.
  void AddSignals(std::string_view text, const SourceLocation& place, const Component& scope);

 private:
  void ReadRecord(const Element& record, const LoadOptions& options);
  void AddInterval(std::string_view text, const SourceLocation& place, const Component& scope);
  /// `8 s, 20 s`, `8 20`, `log 1 us : 10 s : 8`, or several of these with commas between them.
  void AddTimes(std::string_view text, const SourceLocation& place, const Component& scope);
  /// `log FROM : TO : COUNT` or `lin FROM : TO : COUNT`; false where `text` is neither.
  bool AddSteps(std::string_view text, const SourceLocation& place, const Component& scope);
  void AddSignal(std::string_view path, const SourceLocation& place, const Component& scope);
  /// A pattern, and what it finds.
  struct Glob {
    std::string full;  ///< from the root
    bool is_last_named = false;
    bool is_matched = false;
    std::vector<Item> found = {};  ///< what it matches, but for what patterns before it have found
  };
  struct Word {
    std::string_view text;
    std::optional<Glob> glob;  ///< nothing: a path, or a pattern that was there before
  };
  std::optional<Glob> ReadGlob(std::string_view text, const SourceLocation& place, const Component& scope);
  /// Of all patterns at once: items are listed once for each component.
  void FindMatches(std::vector<Word>& words) const;
  void AddMatches(std::string_view text, const Glob& glob, const SourceLocation& place,
                  const Component& scope);
  /// Why a glob matches nothing.
  Fault NoMatch(std::string_view glob, const Component& scope) const;

  System& system_;
  ElementReader& reader_;
  RecordPlan& plan_;
  std::unordered_set<std::string> recorded_;
  std::unordered_set<std::string> globs_;
};

}  // namespace davit
