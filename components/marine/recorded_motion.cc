#include "components/marine/recorded_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "components/marine/item_numbers.h"
#include "components/marine/laws/named_columns.h"

namespace davit {
namespace {

constexpr std::size_t kLeast = 5;  // that the ends of the spline need

struct TimeFault {
  std::size_t sample = 0;
  std::string text;
};

/// What keeps the times from being equally spaced; an empty text if nothing does.
TimeFault CheckTimes(const std::vector<double>& times) {
  if (times.size() < kLeast)
    return {times.size() - 1, fmt::format("{} samples; give at least {}", times.size(), kLeast)};
  std::vector<double> steps;
  steps.reserve(times.size());
  for (std::size_t i = 1; i < times.size(); ++i) steps.push_back(times[i] - times[i - 1]);
  std::vector<double> sorted = steps;
  std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2));
  const double usual = sorted[sorted.size() / 2];
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] > 0 && std::abs(steps[i] - usual) <= 1e-3 * usual) continue;
    return {i + 1, fmt::format("{:.6g} s after the sample before, but usually {:.6g} s; the times must be "
                               "equally spaced: fill the gap, or resample the recording",
                               steps[i], usual)};
  }
  return {};
}

}  // namespace

void RecordedMotion::TakeItems(std::vector<ItemElement> items, const UnitSystem& units,
                               const Registry& /*registry*/, Diagnostics& diagnostics) {
  items_ = std::move(items);
  std::vector<NamedColumns::Allowed> allowed{{"time", "s"}};
  for (std::size_t i = 0; i < kVesselDegrees.size(); ++i)
    allowed.push_back({std::string(kVesselDegrees[i]), i < 3 ? "m" : "rad"});
  std::vector<double> times;
  std::vector<SourceLocation> places;
  Samples samples;
  for (const ItemElement& item : items_) {
    if (item.kind == "Sample") {
      double time = 0;
      std::array<double, 6> values{};
      std::vector<ItemNumber> numbers{{"time", "s", &time, true}};
      for (std::size_t i = 0; i < values.size(); ++i)
        numbers.push_back({kVesselDegrees[i], allowed[i + 1].unit, &values[i]});
      if (!ReadItemNumbers(item, numbers, *this, units, diagnostics)) return;
      times.push_back(time);
      places.push_back(item.location);
      for (std::size_t i = 0; i < values.size(); ++i) samples[i].push_back(values[i]);
      continue;
    }
    const ItemElement::Attribute* const src = item.Find("src");
    if (src == nullptr)
      diagnostics.Error(item.location, DisplayPath(),
                        "Motion needs the attribute 'src'; write src=\"motion.csv\"");
    if (item.file_text == nullptr) continue;
    if (items_.size() > 1)
      return diagnostics.Error(item.location, DisplayPath(), "there is a second recording; keep one of them");
    NamedColumns columns = ReadNamedColumns(*item.file_text, allowed, units);
    if (columns.Find("time") == nullptr) columns.Fail(1, "no column time; add for example 'time [s]'");
    if (columns.fault.empty()) {
      const TimeFault fault = CheckTimes(*columns.Find("time"));
      if (!fault.text.empty()) columns.Fail(columns.lines[fault.sample], fault.text);
    }
    if (!columns.fault.empty())
      return diagnostics.Error(
          item.location, DisplayPath(),
          fmt::format("line {} of {}: {}", columns.fault_line, src->value, columns.fault));
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (const std::vector<double>* const values = columns.Find(kVesselDegrees[i])) samples[i] = *values;
    }
    return TakeSamples(*columns.Find("time"), samples);
  }
  if (times.empty()) return;
  const TimeFault fault = CheckTimes(times);
  if (!fault.text.empty()) return diagnostics.Error(places[fault.sample], DisplayPath(), fault.text);
  TakeSamples(times, samples);
}

void RecordedMotion::TakeSamples(const std::vector<double>& times, const Samples& samples) {
  first_ = times.front();
  last_ = times.back();
  const double step = (last_ - first_) / static_cast<double>(times.size() - 1);
  for (std::size_t i = 0; i < splines_.size(); ++i) {
    if (!samples[i].empty()) splines_[i].emplace(samples[i].data(), samples[i].size(), first_, step);
  }
}

void RecordedMotion::Configure(Diagnostics& diagnostics) {
  if (items_.empty())
    diagnostics.Error(location(), DisplayPath(),
                      "there is no recording; write <Motion src=\"motion.csv\"/> inside");
}

MotionSource::Motion RecordedMotion::MotionAt(double t) const {
  const bool is_inside = t >= first_ && t <= last_;
  const double at = std::clamp(t, first_, last_);
  Motion motion;
  for (std::size_t i = 0; i < splines_.size(); ++i) {
    if (!splines_[i]) continue;
    motion[i].value = (*splines_[i])(at);
    if (is_inside) motion[i] = {motion[i].value, splines_[i]->prime(at), splines_[i]->double_prime(at)};
  }
  return motion;
}

void RecordedMotion::EvaluateDiffEquations(double t) {
  const Motion motion = MotionAt(t);
  for (std::size_t i = 0; i < motion.size(); ++i)
    motion_.Set(i, motion[i].value, motion[i].rate, motion[i].acceleration);
}

double RecordedMotion::NextKink(double t) const {
  if (t < first_) return first_;
  return t < last_ ? last_ : std::numeric_limits<double>::infinity();
}

}  // namespace davit
