#include "components/marine/vessel.h"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "components/marine/item_numbers.h"
#include "components/marine/laws/response_files.h"

namespace davit {

using std::numbers::pi;

void Vessel::TakeItems(std::vector<ItemElement> items, const UnitSystem& units, const Registry& /*registry*/,
                       Diagnostics& diagnostics) {
  items_ = std::move(items);
  std::vector<ResponseTable::Row> rows;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const ItemElement& item = items_[i];
    if (item.kind == "Response") {
      ResponseTable::Row row{.line = static_cast<int>(i)};
      std::array<double, 6> amplitudes{}, phases{};
      std::vector<ItemNumber> numbers{{"heading", "rad", &row.heading, true},
                                      {"frequency", "rad/s", &row.frequency, true}};
      for (std::size_t d = 0; d < amplitudes.size(); ++d) {
        numbers.push_back({kVesselDegrees[d], d < 3 ? "m/m" : "rad/m", &amplitudes[d]});
        numbers.push_back({kVesselPhases[d], "rad", &phases[d]});
      }
      if (!ReadItemNumbers(item, numbers, *this, units, diagnostics)) continue;
      for (std::size_t d = 0; d < amplitudes.size(); ++d)
        row.responses[d] = std::polar(1.0, phases[d]) * amplitudes[d];
      rows.push_back(row);
      continue;
    }
    const ItemElement::Attribute* const src = item.Find("src");
    if (src == nullptr)
      diagnostics.Error(item.location, DisplayPath(),
                        "Responses needs the attribute 'src'; write src=\"vessel.csv\"");
    if (item.file_text == nullptr) continue;
    if (table_ || !rows.empty()) {
      diagnostics.Error(item.location, DisplayPath(), "there are responses before; keep one table of them");
      continue;
    }
    double file_speed = 0, length = 1;
    ItemElement options = item;
    std::erase_if(options.attributes, [](const auto& attribute) { return attribute.name == "src"; });
    if (!ReadItemNumbers(options, {{"speed", "m/s", &file_speed}, {"length", "m", &length, false, kPositive}},
                         *this, units, diagnostics))
      continue;
    const std::string_view file = src->value;
    ResponseTable::Result result = file.ends_with(".re1")   ? ReadShipX(*item.file_text, file_speed)
                                   : file.ends_with(".mat") ? ReadMss(*item.file_text, file_speed)
                                   : file.ends_with(".4")   ? ReadWamit(*item.file_text, length)
                                                            : ResponseTable::Read(*item.file_text, units);
    const std::string line = result.line > 0 ? fmt::format("line {} of {}: ", result.line, src->value)
                                             : fmt::format("{}: ", src->value);
    TakeTable(std::move(result), item.location, line, diagnostics);
  }
  if (rows.empty()) return;
  ResponseTable::Result result = ResponseTable::Make(rows);
  const SourceLocation at = items_[static_cast<std::size_t>(result.line)].location;
  TakeTable(std::move(result), at, "", diagnostics);
}

void Vessel::TakeTable(ResponseTable::Result result, const SourceLocation& at, std::string_view line,
                       Diagnostics& diagnostics) {
  if (!result.fault.empty())
    return diagnostics.Error(at, DisplayPath(), fmt::format("{}{}", line, result.fault));
  table_ = std::move(result.table);
  const std::array<double, 6> largest = table_->Largest();
  for (std::size_t i = 3; i < largest.size(); ++i) {
    if (largest[i] <= 1) continue;
    diagnostics.Warning(
        at, DisplayPath(),
        fmt::format("the response of {} reaches {:.3g} rad/m; write deg/m as its unit if these "
                    "are degrees",
                    kVesselDegrees[i], largest[i]));
  }
}

void Vessel::Configure(Diagnostics& diagnostics) {
  if (items_.empty())
    diagnostics.Error(location(), DisplayPath(),
                      "there are no responses; write <Responses src=\"vessel.csv\"/> inside");
}

void Vessel::Link(System& /*system*/, Diagnostics& diagnostics) {
  sea_ = Sea::Find(*this, diagnostics);
  if (sea_ != nullptr && table_) CheckCover(sea_->waves(), diagnostics);
}

void Vessel::CheckCover(const WaveField& waves, Diagnostics& diagnostics) {
  constexpr double kMost = 0.05;  // of the energy
  double energy = 0, below = 0, above = 0;
  for (const Wave& wave : waves.waves()) {
    const double one = wave.amplitude * wave.amplitude / 2;
    energy += one;
    if (wave.frequency < table_->lowest() * (1 - 1e-9)) below += one;
    if (wave.frequency > table_->highest() * (1 + 1e-9)) above += one;
    if (table_->Covers(wave.direction)) continue;
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("the responses have no headings around {:.3g} deg, where waves of the sea come "
                    "from; add them to the file",
                    wave.direction * 180 / pi));
    table_.reset();
    return;
  }
  const auto report = [&](double part, const char* side, double limit) {
    if (!(part > kMost * energy)) return;
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("{:.2g} % of the energy of the sea is {} {:.3g} rad/s, where the responses end; "
                    "add frequencies to the file",
                    100 * part / energy, side, limit));
  };
  report(below, "below", table_->lowest());
  report(above, "above", table_->highest());
}

HarmonicSum Vessel::MakeSum() const {
  if (sea_ == nullptr || !table_) return {{}, kVesselDegrees.size()};
  const std::vector<Wave>& waves = sea_->waves().waves();
  std::vector<double> frequencies;  // of encounter
  frequencies.reserve(waves.size());
  for (const Wave& wave : waves)
    frequencies.push_back(wave.frequency - wave.number * speed * std::cos(wave.direction));
  HarmonicSum sum(frequencies, kVesselDegrees.size());
  for (std::size_t k = 0; k < waves.size(); ++k) {
    const ResponseTable::Responses responses = table_->At(waves[k].frequency, waves[k].direction);
    for (std::size_t i = 0; i < responses.size(); ++i)
      sum.SetAmplitude(k, i, responses[i] * std::polar(waves[k].amplitude, waves[k].phase));
  }
  return sum;
}

void Vessel::ParametersChanged() { sum_ = std::make_unique<HarmonicSum>(MakeSum()); }

void Vessel::EvaluateDiffEquations(double t) {
  sum_->Evaluate(t);
  for (std::size_t i = 0; i < kVesselDegrees.size(); ++i)
    motion_.Set(i, sum_->value(i), sum_->rate(i), sum_->acceleration(i));
}

std::function<MotionSource::Motion(double)> Vessel::MakeMotion() const {
  return [sum = MakeSum()](double t) mutable {
    sum.Evaluate(t);
    Motion motion;
    for (std::size_t i = 0; i < motion.size(); ++i)
      motion[i] = {sum.value(i), sum.rate(i), sum.acceleration(i)};
    return motion;
  };
}

}  // namespace davit
