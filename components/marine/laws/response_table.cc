#include "components/marine/laws/response_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "components/marine/laws/named_columns.h"

namespace davit {
namespace {

using std::numbers::pi;

/// Into [0, 2 pi).
double Wrapped(double angle) {
  angle = std::fmod(angle, 2 * pi);
  return angle < 0 ? angle + 2 * pi : angle;
}

constexpr double kSame = 1e-12;  // of headings [rad] and frequencies [rad/s]

/// Sway, roll and yaw change sign when the sea comes from the other side.
constexpr std::array<bool, 6> kIsSideways{false, true, false, true, false, true};

}  // namespace

ResponseTable::Result ResponseTable::Read(std::string_view text, const UnitSystem& units) {
  std::vector<NamedColumns::Allowed> allowed{{"heading", "rad"}, {"frequency", "rad/s"}, {"period", "s"}};
  for (std::size_t i = 0; i < kVesselDegrees.size(); ++i) {
    allowed.push_back({std::string(kVesselDegrees[i]), i < 3 ? "m/m" : "rad/m"});
    allowed.push_back({std::string(kVesselPhases[i]), "rad"});
  }
  NamedColumns columns = ReadNamedColumns(text, allowed, units);
  const std::vector<double>*const headings = columns.Find("heading"), *const periods = columns.Find("period"),
                                  *const frequencies = columns.Find("frequency");
  if (headings == nullptr) columns.Fail(1, "no column heading; add for example 'heading [deg]'");
  if ((periods == nullptr) == (frequencies == nullptr))
    columns.Fail(1, "give one of the columns 'frequency [rad/s]' and 'period [s]'");

  if (!columns.fault.empty()) return {{}, std::move(columns.fault), columns.fault_line};
  std::vector<Row> rows;
  rows.reserve(columns.lines.size());
  for (std::size_t r = 0; r < columns.lines.size(); ++r) {
    Row row{.heading = (*headings)[r],
            .frequency = frequencies != nullptr ? (*frequencies)[r] : 2 * pi / (*periods)[r],
            .line = columns.lines[r]};
    for (std::size_t i = 0; i < row.responses.size(); ++i) {
      const auto* const amplitude = columns.Find(kVesselDegrees[i]);
      const auto* const phase = columns.Find(kVesselPhases[i]);
      if (amplitude != nullptr)
        row.responses[i] = std::polar(1.0, phase == nullptr ? 0.0 : (*phase)[r]) * (*amplitude)[r];
    }
    rows.push_back(row);
  }
  return Make(rows);
}

ResponseTable::Result ResponseTable::Make(const std::vector<Row>& rows) {
  Result result;
  const auto fail = [&](int line, std::string text) -> Result { return {{}, std::move(text), line}; };
  std::map<std::pair<double, double>, Responses> sorted;  // by heading and frequency
  for (const Row& row : rows) {
    if (!(row.frequency > 0) || !std::isfinite(row.frequency))
      return fail(row.line, "the frequency is not above 0; remove this line");
    // The same number in two lines may differ by rounding.
    const auto rounded = [](double value) { return std::round(value / kSame) * kSame; };
    const std::pair key{rounded(Wrapped(row.heading)), rounded(row.frequency)};
    if (!sorted.emplace(key, row.responses).second)
      return fail(row.line, "this heading and frequency are there already; remove one of the lines");
  }
  if (std::string fault = result.table.Fill(sorted); !fault.empty()) return fail(rows.back().line, fault);
  return result;
}

std::string ResponseTable::Fill(const std::map<std::pair<double, double>, Responses>& rows) {
  for (const auto& [key, row] : rows) {
    if (headings_.empty() || headings_.back() != key.first) headings_.push_back(key.first);
    frequencies_.push_back(key.second);
    values_.push_back(row);
  }
  std::ranges::sort(frequencies_);
  const auto repeated = std::ranges::unique(frequencies_);
  frequencies_.erase(repeated.begin(), repeated.end());
  for (const double heading : headings_) {
    for (const double frequency : frequencies_) {
      if (rows.contains({heading, frequency})) continue;
      return fmt::format(
          "heading {:.4g} deg has no frequency {:.4g} rad/s, which others have; give each "
          "heading the same frequencies",
          heading * 180 / pi, frequency);
    }
  }
  is_symmetric_ = headings_.back() <= pi + kSame;
  const double gap = 2 * pi - headings_.back() + headings_.front();
  is_closed_ = !is_symmetric_ && gap < pi / 2 + kSame;
  return {};
}

ResponseTable::Between ResponseTable::FindHeading(double heading) const {
  const std::size_t none = headings_.size();
  if (std::abs(heading - headings_.front()) <= kSame) return {0, 0};
  const auto next = std::ranges::lower_bound(headings_, heading - kSame);
  if (next == headings_.begin() || next == headings_.end()) {
    if (!is_closed_) return {none, 0};
    const double step = 2 * pi - headings_.back() + headings_.front();
    return {none - 1, Wrapped(heading - headings_.back()) / step};
  }
  const auto index = static_cast<std::size_t>(next - headings_.begin()) - 1;
  return {index, (heading - headings_[index]) / (*next - headings_[index])};
}

bool ResponseTable::Covers(double heading) const {
  heading = Wrapped(heading);
  if (is_symmetric_ && heading > pi) heading = 2 * pi - heading;
  return FindHeading(heading).index < headings_.size();
}

ResponseTable::Responses ResponseTable::AtFrequency(std::size_t heading, double frequency) const {
  const Responses* const row = &values_[heading * frequencies_.size()];
  if (frequency <= frequencies_.front()) return row[0];
  if (frequency > frequencies_.back() + kSame) return {};
  const auto next = std::ranges::lower_bound(frequencies_, frequency - kSame);
  const auto index = static_cast<std::size_t>(next - frequencies_.begin());
  if (index == 0) return row[0];
  const double share = (frequency - frequencies_[index - 1]) / (*next - frequencies_[index - 1]);
  Responses result;
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = (1 - share) * row[index - 1][i] + share * row[index][i];
  return result;
}

ResponseTable::Responses ResponseTable::At(double frequency, double heading) const {
  heading = Wrapped(heading);
  const bool is_mirrored = is_symmetric_ && heading > pi;
  const auto [index, share] = FindHeading(is_mirrored ? 2 * pi - heading : heading);
  Responses result = AtFrequency(index, frequency);
  if (share > 0) {
    const Responses next = AtFrequency((index + 1) % headings_.size(), frequency);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = (1 - share) * result[i] + share * next[i];
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (is_mirrored && kIsSideways[i]) result[i] = -result[i];
  }
  return result;
}

std::array<double, 6> ResponseTable::Largest() const {
  std::array<double, 6> largest{};
  for (const Responses& row : values_) {
    for (std::size_t i = 0; i < row.size(); ++i) largest[i] = std::max(largest[i], std::abs(row[i]));
  }
  return largest;
}

}  // namespace davit
