#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "framework/system.h"
#include "framework/xml/element_reader.h"

namespace davit {

struct LoadOptions;

/// The pass of loading that reads what to record: `<Record>`, `--signals` and `--interval`. Post:
/// system.record_plan() is complete; without any of them all primary variables are recorded at every step.
class RecordReader {
 public:
  RecordReader(System& system, ElementReader& reader) : system_(system), reader_(reader) {}

  void Read(const std::vector<Element>& records, const LoadOptions& options);

 private:
  void ReadRecord(const Element& record, const LoadOptions& options);
  void AddInterval(std::string_view text, const SourceLocation& place, const Component& scope);
  /// `8 s, 20 s` or `8 20`.
  void AddTimes(std::string_view text, const SourceLocation& place, const Component& scope);
  /// Names and globs, separated by spaces.
  void AddSignals(std::string_view text, const SourceLocation& place, const Component& scope);
  void AddSignal(std::string_view path, const SourceLocation& place, const Component& scope);
  void AddMatches(std::string_view glob, const SourceLocation& place, const Component& scope);
  /// Why a glob matches nothing; what would be right.
  std::string NoMatch(std::string_view glob, const Component& scope) const;

  System& system_;
  ElementReader& reader_;
  std::unordered_set<std::string> recorded_;
  std::unordered_set<std::string> globs_;
};

}  // namespace davit
