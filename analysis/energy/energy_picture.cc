#include "analysis/energy/energy_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "framework/xml/escape_xml.h"
#include "session/describe_energy.h"

namespace davit {
namespace {

constexpr double kWidth = 900, kTop = 60, kBandHeight = 400;  // [px]
constexpr double kLeft = 240, kRight = 640, kMiddle = 440, kNode = 14;
constexpr double kLeastRow = 20;  // between two labels [px]

constexpr std::pair<std::string_view, std::string_view> kColors[] = {{"source", "#1565c0"},
                                                                     {"store", "#6a1b9a"},
                                                                     {"loss", "#c62828"},
                                                                     {"work", "#2e7d32"},
                                                                     {"unaccounted", "#757575"}};

std::string_view ColorOf(const EnergyBand& band) {
  return std::ranges::find(kColors, band.kind, [](const auto& color) { return color.first; })->second;
}

/// `74.22 kJ`.
std::string EnergyText(double energy) {
  for (const auto& [unit, size] : {std::pair("GJ", 1e9), {"MJ", 1e6}, {"kJ", 1e3}}) {
    if (energy >= size) return fmt::format("{:.4g} {}", energy / size, unit);
  }
  return fmt::format("{:.4g} J", energy);
}

/// Writes a column of bands, from the side at x_side to the middle at x_middle.
std::string DrawColumn(const std::vector<EnergyBand>& bands, double per_joule, double x_side, double x_middle,
                       double* bottom) {
  std::string svg;
  const bool is_left = x_side < x_middle;
  double y_side = kTop, y_middle = kTop;
  for (const EnergyBand& band : bands) {
    const double h = std::max(band.of.energy * per_joule, 0.5);
    const double bend = (x_side + x_middle) / 2;
    svg += fmt::format(
        R"(<path d="M{0:.1f} {1:.1f} C{2:.1f} {1:.1f} {2:.1f} {3:.1f} {4:.1f} {3:.1f} V{5:.1f} C{2:.1f} {5:.1f} {2:.1f} {6:.1f} {0:.1f} {6:.1f} Z" fill="{7}" fill-opacity="0.5"/>)"
        "\n",
        x_side, y_side, bend, y_middle, x_middle, y_middle + h, y_side + h, ColorOf(band));
    svg += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{}" height="{:.1f}" fill="{}"/>)"
                       "\n",
                       is_left ? x_side - kNode : x_side, y_side, kNode, h, ColorOf(band));
    svg +=
        fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}, {}</text>)"
                    "\n",
                    is_left ? x_side - kNode - 6 : x_side + kNode + 6, y_side + h / 2 + 4,
                    is_left ? "end" : "start", EscapeXml(EnergyLabel(band.of)), EnergyText(band.of.energy));
    y_side += std::max(h, kLeastRow) + 4;
    y_middle += h;
  }
  *bottom = std::max(*bottom, y_side);
  return svg;
}

double SumOf(const std::vector<EnergyBand>& bands) {
  double sum = 0;
  for (const EnergyBand& band : bands) sum += band.of.energy;
  return sum;
}

}  // namespace

std::string DrawEnergy(const EnergyBalance& balance, std::string_view title) {
  const auto [from, to] = FlowOf(balance);
  const double largest = std::max(SumOf(from), SumOf(to));
  const double per_joule = largest > 0 ? kBandHeight / largest : 0;
  double bottom = kTop + kBandHeight;
  std::string body = DrawColumn(from, per_joule, kLeft, kMiddle, &bottom);
  body += DrawColumn(to, per_joule, kRight, kMiddle + kNode, &bottom);
  body += fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{:.1f}" fill="#263238"/>)"
                      "\n",
                      kMiddle, kTop, kNode, largest * per_joule);
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1:.0f}" font-family="sans-serif" font-size="12">)"
      "\n"
      R"(<rect width="{0}" height="{1:.0f}" fill="white"/>)"
      "\n"
      R"(<text x="{2}" y="30" text-anchor="middle" font-size="16">{3}</text>)"
      "\n{4}</svg>\n",
      kWidth, bottom + 20, kWidth / 2, EscapeXml(title), body);
}

}  // namespace davit
