#include "components/marine/laws/response_files.h"

#include <fmt/format.h>

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

}  // namespace davit
