#include "analysis/energy/energy_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "framework/xml/escape_xml.h"

namespace davit {
namespace {

constexpr double kWidth = 900, kTop = 60, kBandHeight = 400;  // [px]
constexpr double kLeft = 240, kRight = 640, kMiddle = 440, kNode = 14;
constexpr double kLeastShare = 0.005;  // of what was supplied; smaller bands are drawn as one
constexpr double kLeastRow = 20;       // between two labels [px]

struct Band {
  std::string label;
  double energy;
  std::string_view color;
};

std::string LabelOf(const EnergyOf& one) {
  if (one.name.empty()) return one.component;
  return one.component.empty() ? one.name : one.component + ": " + one.name;
}

/// Of one sign; what is small becomes one band.
void AddBands(const std::vector<EnergyOf>& list, double sign, std::string_view color, double least,
              std::string_view of_rest, std::vector<Band>& bands) {
  double rest = 0;
  for (const EnergyOf& one : list) {
    const double energy = sign * one.energy;
    if (!(energy > 0)) continue;
    if (energy < least) {
      rest += energy;
    } else {
      bands.push_back({LabelOf(one), energy, color});
    }
  }
  if (rest > 0) bands.push_back({std::string(of_rest), rest, color});
}

/// Writes a column of bands, from the side at x_side to the middle at x_middle.
std::string DrawColumn(const std::vector<Band>& bands, double per_joule, double x_side, double x_middle,
                       double* bottom) {
  std::string svg;
  const bool is_left = x_side < x_middle;
  double y_side = kTop, y_middle = kTop;
  for (const Band& band : bands) {
    const double h = std::max(band.energy * per_joule, 0.5);
    const double bend = (x_side + x_middle) / 2;
    svg += fmt::format(
        R"(<path d="M{0:.1f} {1:.1f} C{2:.1f} {1:.1f} {2:.1f} {3:.1f} {4:.1f} {3:.1f} V{5:.1f} C{2:.1f} {5:.1f} {2:.1f} {6:.1f} {0:.1f} {6:.1f} Z" fill="{7}" fill-opacity="0.5"/>)"
        "\n",
        x_side, y_side, bend, y_middle, x_middle, y_middle + h, y_side + h, band.color);
    svg += fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{}" height="{:.1f}" fill="{}"/>)"
                       "\n",
                       is_left ? x_side - kNode : x_side, y_side, kNode, h, band.color);
    svg += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}, {:.4g} J</text>)"
                       "\n",
                       is_left ? x_side - kNode - 6 : x_side + kNode + 6, y_side + h / 2 + 4,
                       is_left ? "end" : "start", EscapeXml(band.label), band.energy);
    y_side += std::max(h, kLeastRow) + 4;
    y_middle += h;
  }
  *bottom = std::max(*bottom, y_side);
  return svg;
}

double SumOf(const std::vector<Band>& bands) {
  double sum = 0;
  for (const Band& band : bands) sum += band.energy;
  return sum;
}

}  // namespace

std::string DrawEnergy(const EnergyBalance& balance, std::string_view title) {
  const double least = kLeastShare * balance.turnover;
  std::vector<Band> from, to;
  AddBands(balance.ins, 1, "#1565c0", least, "other sources", from);
  AddBands(balance.stores, -1, "#6a1b9a", least, "other stores", from);
  AddBands(balance.losses, -1, "#c62828", least, "other gains", from);
  AddBands(balance.strangers, -1, "#757575", least, "other unaccounted", from);
  AddBands(balance.outs, 1, "#2e7d32", least, "other work", to);
  AddBands(balance.stores, 1, "#6a1b9a", least, "other stores", to);
  AddBands(balance.LossesBy(true), 1, "#c62828", least, "other losses", to);
  AddBands(balance.strangers, 1, "#757575", least, "other unaccounted", to);
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
