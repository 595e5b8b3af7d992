#include "app/run_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "app/print_diagnostics.h"

namespace davit {
namespace {

constexpr std::size_t kMostKinds = 10'000;     // that are told apart
constexpr std::size_t kMostCounted = 10;       // kinds that are named in the end
constexpr std::string_view kTimeEnd = " s: ";  // of `t = 1.25 s: `

bool IsDecimalDigit(char c) { return c >= '0' && c <= '9'; }

bool IsPartOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A line without its time, with `#` for each number: what lines of one kind have in common. Digits in names
/// (`valve_2`, `crane.q1`) are kept.
std::string KindOf(std::string_view line) {
  const std::size_t time_end = line.find(kTimeEnd);
  if (line.starts_with("t = ") && time_end != std::string_view::npos)
    line.remove_prefix(time_end + kTimeEnd.size());
  std::string kind;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool begins_number = IsDecimalDigit(line[i]) && (i == 0 || !IsPartOfName(line[i - 1]));
    if (!begins_number) {
      kind += line[i];
      continue;
    }
    if (!kind.empty() && kind.back() == '-') kind.pop_back();
    kind += '#';
    const auto goes_on = [&](std::size_t next) {
      if (next >= line.size()) return false;
      const bool is_exponent = line[next - 1] == 'e' && (line[next] == '-' || line[next] == '+');
      return IsDecimalDigit(line[next]) || line[next] == '.' || line[next] == 'e' || is_exponent;
    };
    while (goes_on(i + 1)) ++i;
  }
  return kind;
}

}  // namespace

RunMessages::RunMessages(MessageOptions options, ProgressBar& bar, std::ostream& err)
    : options_(std::move(options)), bar_(bar), err_(err) {}

RunLog::Severity RunMessages::threshold() const {
  if (options_.is_verbose || options_.file) return RunLog::Severity::kDetail;
  return options_.is_quiet ? RunLog::Severity::kError : RunLog::Severity::kInfo;
}

void RunMessages::Open() {
  if (!options_.file) return;
  file_.open(*options_.file);
  if (!file_)
    throw std::runtime_error(options_.file->string() + ": cannot write the event log; check the path");
}

bool RunMessages::IsShown(RunLog::Severity severity) const {
  if (options_.is_quiet) return severity >= RunLog::Severity::kError;
  return options_.is_verbose || severity >= RunLog::Severity::kInfo;
}

bool RunMessages::IsNew(std::string_view line) {
  std::string key = KindOf(line);
  auto found = kinds_.find(key);
  if (found == kinds_.end()) {
    if (kinds_.size() >= kMostKinds) return true;
    found = kinds_.emplace(std::move(key), Kind{0, kinds_.size(), {}}).first;
  }
  Kind& kind = found->second;
  if (++kind.count <= kMostAlike) return true;
  kind.last = line;
  return false;
}

void RunMessages::Take(RunLog::Severity severity, std::string_view line) {
  WriteToFile(line);
  if (severity > RunLog::Severity::kDetail) file_.flush();  // for those who follow it
  if (!IsShown(severity) || (!options_.is_verbose && !IsNew(line))) return;
  bar_.Clear();
  err_ << line << '\n';
}

void RunMessages::WriteToFile(std::string_view line) {
  if (file_.is_open()) file_ << line << '\n';
}

void RunMessages::Print(const Diagnostics& diagnostics) {
  bar_.Clear();
  PrintDiagnostics(diagnostics, err_);
  err_.flush();
}

void RunMessages::PrintCounts() {
  std::vector<const Kind*> counted;
  for (const auto& [key, kind] : kinds_) {
    if (kind.count > kMostAlike) counted.push_back(&kind);
  }
  if (counted.empty()) return;
  std::ranges::sort(counted, [](const Kind* a, const Kind* b) {
    return std::pair(b->count, a->place) < std::pair(a->count, b->place);
  });
  std::uint64_t others = 0;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const std::uint64_t hidden = counted[i]->count - kMostAlike;
    if (i < kMostCounted) {
      err_ << fmt::format("{} more like: {}\n", hidden, counted[i]->last);
    } else {
      others += hidden;
    }
  }
  if (others > 0) err_ << fmt::format("{} more of {} other kinds\n", others, counted.size() - kMostCounted);
  err_ << (options_.file ? "all of them: " + options_.file->string()
                         : std::string("all of them: --log FILE, or --verbose"))
       << '\n';
}

void RunMessages::Finish() {
  bar_.Clear();
  PrintCounts();
  kinds_.clear();
  if (!file_.is_open()) return;
  file_.close();
  if (!file_)
    throw std::runtime_error(options_.file->string() + ": the event log is incomplete; is the disk full?");
}

}  // namespace davit
