#include "framework/diagnostics.h"
#include "framework/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace davit {
namespace {

std::string_view FileName(const SourceLocation& location) {
  return location.file ? std::string_view(*location.file) : std::string_view();
}

/// `2 more errors`, `1 more warning`, or nothing for 0.
std::string MoreText(std::size_t count, std::string_view noun) {
  if (count == 0) return {};
  return Counted(count, "more " + std::string(noun));
}

}  // namespace

std::string ToText(const Diagnostic& diagnostic) {
  std::string text;
  if (const std::string_view file = FileName(diagnostic.location); !file.empty()) {
    text.append(file);
    if (diagnostic.location.line > 0) text += fmt::format(":{}", diagnostic.location.line);
    text += ": ";
  }
  text += diagnostic.severity == Severity::kError ? "error: " : "warning: ";
  if (!diagnostic.path.empty()) text.append(diagnostic.path).append(": ");
  text += diagnostic.message();

  // A diagnostic is one line, and input must not control the terminal.
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

void Diagnostics::Add(Diagnostic diagnostic) {
  const bool is_error = diagnostic.severity == Severity::kError;
  if (++(is_error ? error_count_ : warning_count_) > kMaxKept) {
    CountLeftOut();
  } else {
    all_.insert(has_left_out_ ? all_.end() - 1 : all_.end(), std::move(diagnostic));
  }
}

void Diagnostics::CountLeftOut() {
  if (!has_left_out_) {
    all_.emplace_back();
    has_left_out_ = true;
  }
  const std::size_t errors = error_count_ - std::min(error_count_, kMaxKept);
  const std::size_t warnings = warning_count_ - std::min(warning_count_, kMaxKept);
  Diagnostic& last = all_.back();
  last.severity = errors > 0 ? Severity::kError : Severity::kWarning;
  last.fault.what = fmt::format("{}{}{} left out", MoreText(errors, "error"),
                                errors > 0 && warnings > 0 ? " and " : "", MoreText(warnings, "warning"));
}

std::vector<Diagnostic> Diagnostics::SortedByPlace() const {
  std::unordered_map<std::string_view, std::size_t> file_order;
  for (const Diagnostic& diagnostic : all_)
    file_order.try_emplace(FileName(diagnostic.location), file_order.size());
  const auto place = [&file_order](const Diagnostic& diagnostic) {
    return std::tuple(file_order.at(FileName(diagnostic.location)), diagnostic.location.line);
  };
  std::vector<Diagnostic> sorted = all_;
  std::stable_sort(sorted.begin(), has_left_out_ ? sorted.end() - 1 : sorted.end(),
                   [&place](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
  return sorted;
}

std::string ToText(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& one : diagnostics.SortedByPlace()) text += (text.empty() ? "" : "\n") + ToText(one);
  return text;
}

}  // namespace davit
