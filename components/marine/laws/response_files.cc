#include "components/marine/laws/response_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "components/marine/laws/mat_array.h"

namespace davit {
namespace {

using std::numbers::pi;

/// The lines of a text, with the numbers in them.
class NumberLines {
 public:
  explicit NumberLines(std::string_view text) : text_(text) {}

  /// Goes to the next line; false at the end.
  bool Next() {
    if (text_.empty()) return false;
    ++line_;
    const std::size_t end = text_.find('\n');
    now_ = text_.substr(0, end);
    text_ = end == std::string_view::npos ? std::string_view{} : text_.substr(end + 1);
    return true;
  }
  /// Goes to the next line that is not blank and reads it; nothing at the end, or where a word is no number.
  std::optional<std::vector<double>> NextNumbers() {
    while (Next()) {
      if (now_.find_first_not_of(kBlank) == std::string_view::npos) continue;
      return Numbers();
    }
    is_at_end_ = true;
    return {};
  }
  int line() const { return line_; }
  bool is_at_end() const { return is_at_end_; }

 private:
  static constexpr std::string_view kBlank = " \t\r,";

  std::optional<std::vector<double>> Numbers() const {
    std::vector<double> numbers;
    for (std::size_t at = now_.find_first_not_of(kBlank); at != std::string_view::npos;) {
      const std::size_t end = std::min(now_.find_first_of(kBlank, at), now_.size());
      std::string_view word = now_.substr(at, end - at);
      if (word.starts_with('+')) word.remove_prefix(1);
      double number = 0;
      const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
      if (error != std::errc{} || rest != word.data() + word.size() || !std::isfinite(number)) return {};
      numbers.push_back(number);
      at = now_.find_first_not_of(kBlank, end);
    }
    return numbers;
  }

  std::string_view text_, now_;
  int line_ = 0;
  bool is_at_end_ = false;
};

ResponseTable::Result Fail(int line, std::string text) { return {{}, std::move(text), line}; }

/// What a line of a ShipX file must have.
constexpr const char* kExpected = "expected {}; is this a file of motion transfer functions (.re1)?";

/// From the axes of ShipX, mirrored to the other side: the heading is then 180 degrees less it.
constexpr std::array<double, 6> kFromShipX{-1, 1, 1, 1, -1, -1};

/// From the axes of MSS, turned by half a turn about x: the heading changes its sign.
constexpr std::array<double, 6> kFromMss{1, -1, -1, 1, -1, -1};

}  // namespace

ResponseTable::Result ReadShipX(std::string_view text, double speed) {
  NumberLines lines(text);
  for (int i = 0; i < 9; ++i) lines.Next();
  const auto counts = lines.NextNumbers();
  if (!counts || counts->size() < 4 || (*counts)[3] > 6)
    return Fail(lines.line(),
                fmt::format(kExpected, "the numbers of velocities, headings, frequencies and degrees"));
  const auto count = [&](std::size_t i) { return static_cast<int>((*counts)[i]); };
  std::vector<ResponseTable::Row> rows;
  std::string velocities;
  for (int v = 0; v < count(0); ++v) {
    const auto velocity = lines.NextNumbers();
    if (!velocity || velocity->empty()) return Fail(lines.line(), fmt::format(kExpected, "a velocity"));
    velocities += fmt::format("{}{:.4g}", velocities.empty() ? "" : ", ", velocity->front());
    const bool is_wanted = rows.empty() && std::abs(velocity->front() - speed) < 1e-3;
    for (int h = 0; h < count(1); ++h) {
      const auto heading = lines.NextNumbers();
      if (!heading || heading->size() != 1) return Fail(lines.line(), fmt::format(kExpected, "a heading"));
      for (int f = 0; f < count(2); ++f) {
        const auto frequency = lines.NextNumbers();
        if (!frequency || frequency->size() != 1)
          return Fail(lines.line(), fmt::format(kExpected, "a frequency"));
        ResponseTable::Row row{.heading = pi - heading->front() * pi / 180,
                               .frequency = frequency->front(),
                               .line = lines.line()};
        for (int d = 0; d < count(3); ++d) {
          const auto response = lines.NextNumbers();
          if (!response || response->size() != 3 || !((*response)[0] >= 1 && (*response)[0] <= 6))
            return Fail(lines.line(), fmt::format(kExpected, "a degree 1 to 6, real and imaginary part"));
          const auto degree = static_cast<std::size_t>((*response)[0]) - 1;
          row.responses[degree] = kFromShipX[degree] * std::complex<double>((*response)[1], (*response)[2]);
        }
        if (is_wanted) rows.push_back(row);
      }
    }
  }
  if (rows.empty())
    return Fail(10,
                fmt::format("there are no responses at {:.4g} m/s; the file has {} m/s: give one as speed "
                            "of Responses",
                            speed, velocities));
  return ResponseTable::Make(rows);
}

ResponseTable::Result ReadWamit(std::string_view text, double length) {
  NumberLines lines(text);
  std::vector<ResponseTable::Row> rows;
  std::map<std::pair<double, double>, std::size_t> found;  // by period and heading
  while (true) {
    const auto numbers = lines.NextNumbers();
    if (!numbers && lines.line() == 1 && !lines.is_at_end()) continue;  // a headline
    if (!numbers) break;
    const std::vector<double>& n = *numbers;
    if (n.size() != 7)
      return Fail(lines.line(),
                  fmt::format("{} numbers; a line of a WAMIT file .4 has period, heading, mode, "
                              "modulus, phase, real and imaginary part",
                              n.size()));
    if (!(n[0] > 0)) continue;
    if (!(n[2] >= 1 && n[2] <= 6))
      return Fail(lines.line(), fmt::format("mode {:.4g}; only the six of one rigid body can be read", n[2]));
    if (std::abs(std::hypot(n[5], n[6]) - n[3]) > 1e-3 * std::max(n[3], 1e-3))
      return Fail(lines.line(),
                  "the modulus is not that of real and imaginary part; are the columns those of "
                  "a WAMIT file .4?");
    const auto [at, is_new] = found.try_emplace({n[0], n[1]}, rows.size());
    if (is_new)
      rows.push_back({.heading = n[1] * pi / 180, .frequency = 2 * pi / n[0], .line = lines.line()});
    const auto degree = static_cast<std::size_t>(n[2]) - 1;
    rows[at->second].responses[degree] = std::complex<double>(n[5], n[6]) / (degree < 3 ? 1.0 : length);
  }
  if (!lines.is_at_end()) return Fail(lines.line(), "there is a word that is not a number");
  if (rows.empty()) return Fail(lines.line(), "there are no rows with a period above 0");
  return ResponseTable::Make(rows);
}

ResponseTable::Result ReadMss(std::string_view bytes, double speed) {
  const MatFile file(bytes);
  if (!file.fault().empty()) return Fail(0, file.fault());
  const auto vessel = std::ranges::find_if(
      file.variables(), [](const MatArray& one) { return one.Field("motionRAO").has_value(); });
  if (vessel == file.variables().end())
    return Fail(0, "no variable is a structure with the field motionRAO; save the vessel of MSS in it");
  const MatArray responses = *vessel->Field("motionRAO");
  const auto numbers = [](const std::optional<MatArray>& array) {
    const auto found = array ? array->Numbers() : std::nullopt;
    const bool are_finite =
        found && std::ranges::all_of(*found, [](double one) { return std::isfinite(one); });
    return are_finite ? *found : std::vector<double>();
  };
  const std::vector<double> headings = numbers(vessel->Field("headings")),
                            velocities = numbers(vessel->Field("velocities")),
                            frequencies = numbers(responses.Field("w"));
  for (const auto& [name, found] : {std::pair("headings", &headings), std::pair("velocities", &velocities),
                                    std::pair("motionRAO.w", &frequencies)}) {
    if (found->empty()) return Fail(0, fmt::format("the field {} has no numbers", name));
  }
  const auto velocity =
      std::ranges::find_if(velocities, [&](double one) { return std::abs(one - speed) < 1e-3; });
  if (velocity == velocities.end())
    return Fail(0, fmt::format("there are no responses at {:.4g} m/s; the file has {:.4g} m/s: give one as "
                               "speed of Responses",
                               speed, fmt::join(velocities, ", ")));
  const std::size_t count = frequencies.size() * headings.size();
  const auto before = static_cast<std::size_t>(velocity - velocities.begin());
  std::vector<ResponseTable::Row> rows;
  const std::optional<MatArray> amplitudes = responses.Field("amp"), phases = responses.Field("phase");
  for (std::size_t d = 0; d < kFromMss.size(); ++d) {
    const auto of_degree = [&](const std::optional<MatArray>& cells) {
      const std::optional<MatArray> cell = cells ? cells->Cell(d) : std::nullopt;
      const bool fits = cell && cell->size()[0] == frequencies.size() && cell->size()[1] == headings.size();
      return fits ? numbers(cell) : std::vector<double>();
    };
    const std::vector<double> amplitude = of_degree(amplitudes), phase = of_degree(phases);
    if (amplitude.size() / count <= before || phase.size() / count <= before)
      return Fail(0,
                  fmt::format("motionRAO.amp{{{0}}} and phase{{{0}}} are not numbers of {1} frequencies, {2} "
                              "headings and {3} velocities",
                              d + 1, frequencies.size(), headings.size(), velocities.size()));
    rows.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = before * count + i;
      rows[i].responses[d] = kFromMss[d] * amplitude[at] * std::polar(1.0, phase[at]);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    rows[i].heading = -headings[i / frequencies.size()];
    rows[i].frequency = frequencies[i % frequencies.size()];
  }
  return ResponseTable::Make(rows);
}

}  // namespace davit
