#include "framework/diagnostics.h"

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
  return fmt::format("{} more {}{}", count, noun, count == 1 ? "" : "s");
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
  text += diagnostic.message;

  // A diagnostic is one line, and input must not control the terminal.
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

void Diagnostics::Error(const SourceLocation& location, std::string_view path, std::string message) {
  Add({Severity::kError, location, std::string(path), std::move(message)}, error_count_);
}

void Diagnostics::Warning(const SourceLocation& location, std::string_view path, std::string message) {
  Add({Severity::kWarning, location, std::string(path), std::move(message)}, warning_count_);
}

void Diagnostics::Add(Diagnostic diagnostic, std::size_t& count) {
  ++count;
  if (count > kMaxKept) {
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
  last.message = fmt::format("{}{}{} left out", MoreText(errors, "error"),
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

}  // namespace davit
