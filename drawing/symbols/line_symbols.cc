#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "drawing/symbols/pen.h"
#include "drawing/symbols/symbol_table.h"

namespace davit {
namespace {

/// A shape that is filled by the pressure inside: `element` without its end.
std::string Vessel(const SymbolSubject& subject, const std::string& element) {
  const std::string p = subject.HasSignal("p") ? " data-effort=\"" + subject.path + ".p\"" : "";
  return "<" + element + " class=\"vessel\"" + p + "/>";
}

Symbol MakeTwoEnds(const Pen& pen, const char* a, const char* b, double width = 64, double height = 32,
                   double signal_gap = 12) {
  Symbol symbol = MakeBox(width, height, pen.text());
  symbol.signal_gap = signal_gap;
  symbol.AddAnchor(a, -width / 2, 0, Side::kLeft);
  symbol.AddAnchor(b, width / 2, 0, Side::kRight);
  return symbol;
}

Symbol MakePipe(const SymbolSubject& subject) {
  Pen pen;
  pen.Line(-32, 0, -24, 0).Line(24, 0, 32, 0);
  pen.Add(Vessel(subject, "rect x=\"-24\" y=\"-5\" width=\"48\" height=\"10\""));
  pen.Line(-24, -5, 24, -5).Line(-24, 5, 24, 5).Line(-24, -8, -24, 8).Line(24, -8, 24, 8);
  return MakeTwoEnds(pen, "inlet", "outlet");
}

/// A line whose waves run: two directions above the tube.
Symbol MakeWaveLine(const SymbolSubject& subject) {
  Pen pen;
  pen.Line(-32, 0, -24, 0).Line(24, 0, 32, 0);
  pen.Add(Vessel(subject, "rect x=\"-24\" y=\"-5\" width=\"48\" height=\"10\""));
  pen.Line(-24, -5, 24, -5).Line(-24, 5, 24, 5).Line(-24, -8, -24, 8).Line(24, -8, 24, 8);
  pen.Path("M-16 0Q-12 -7 -8 0T0 0T8 0T16 0", "t");
  return MakeTwoEnds(pen, "a", "b");
}

Symbol MakeHose(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Path("M-32 0H-24Q0 18 24 0H32").Circle(-24, 0, 3, "k").Circle(24, 0, 3, "k");
  return MakeTwoEnds(pen, "a", "b");
}

/// A bar that lines join on both sides; filled by its pressure.
Symbol MakeBar(const SymbolSubject& subject, bool is_volume) {
  const SymbolEnd* port = subject.FindEnd("port");
  const double count = port == nullptr ? 1 : static_cast<double>(port->count);
  const double left = port == nullptr ? 0 : static_cast<double>(port->on_left);
  const double places = std::max({1.0, left, count - left});
  const double pitch = 2 * kGrid;
  Symbol symbol;
  symbol.width = is_volume ? 16 : 0;
  symbol.signal_gap = 3;
  symbol.height = std::max(32.0, pitch * (places + (std::fmod(places, 2) == 0 ? 0 : 1)));
  const double half = symbol.height / 2;
  Pen pen;
  if (is_volume) {
    pen.Add(Vessel(subject, "rect x=\"-8\" y=\"" + SvgNumber(-half + 2) + "\" width=\"16\" height=\"" +
                                SvgNumber(symbol.height - 4) + "\" rx=\"8\""));
    pen.Rect(-8, -half + 2, 16, symbol.height - 4, "s", 8);
  } else {
    pen.Rect(-2, -half + 4, 4, symbol.height - 8, "k", 2);
  }
  const double first = -pitch * std::floor((places - 1) / 2) - (std::fmod(places, 2) == 0 ? kGrid : 0);
  for (double i = 0; i < places; ++i) {
    const double y = first + pitch * i;
    symbol.AddAnchor("port", -symbol.width / 2, y, Side::kLeft);
    symbol.AddAnchor("port", symbol.width / 2, y, Side::kRight);
  }
  symbol.shapes = pen.text();
  return symbol;
}

Symbol MakeVolume(const SymbolSubject& subject) { return MakeBar(subject, true); }
Symbol MakeJunction(const SymbolSubject& subject) { return MakeBar(subject, false); }

Symbol MakeTank(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(0, -16, 0, 6).Polyline({{-16, -4}, {-16, 10}, {16, 10}, {16, -4}});
  Symbol symbol = MakeBox(32, 32, pen.text());
  symbol.AddAnchor("port", 0, -16, Side::kTop);
  return symbol;
}

Symbol MakeAccumulator(const SymbolSubject& subject) {
  Pen pen;
  pen.Add(Vessel(subject, "path d=\"M-12 0V8A12 12 0 0 0 12 8V0Z\""));
  pen.Rect(-12, -20, 24, 40, "s", 12).Line(-12, 0, 12, 0).Polygon({{0, -3}, {-5, -11}, {5, -11}}, "b");
  pen.Line(0, 20, 0, 32);
  Symbol symbol = MakeBox(32, 64, pen.text());
  symbol.signal_gap = 16;
  symbol.AddAnchor("port", 0, 32, Side::kBottom);
  return symbol;
}

Symbol MakeOrifice(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(-24, 0, 24, 0).Path("M-10 -12Q0 -4 10 -12").Path("M-10 12Q0 4 10 12");
  return MakeTwoEnds(pen, "a", "b", 48);
}

/// A restriction whose law depends on the viscosity: longer edges.
Symbol MakeRestriction(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(-24, 0, 24, 0)
      .Path("M-14 -12Q-10 -5 -4 -5H4Q10 -5 14 -12")
      .Path("M-14 12Q-10 5 -4 5H4Q10 5 14 12");
  return MakeTwoEnds(pen, "a", "b", 48);
}

void DrawDiamond(Pen& pen) {
  pen.Line(-32, 0, -20, 0).Line(20, 0, 32, 0).Polygon({{-20, 0}, {0, -20}, {20, 0}, {0, 20}});
}

Symbol MakeFilter(const SymbolSubject& /*subject*/) {
  Pen pen;
  DrawDiamond(pen);
  pen.Line(0, -20, 0, 20, "d");
  return MakeTwoEnds(pen, "a", "b", 64, 48, 16);
}

Symbol MakeCooler(const SymbolSubject& /*subject*/) {
  Pen pen;
  DrawDiamond(pen);
  pen.Arrow(0, -6, 0, -26).Arrow(0, 6, 0, 26);
  return MakeTwoEnds(pen, "a", "b", 64, 64, 24);
}

Symbol MakeSensor(const SymbolSubject& subject, const char* letter) {
  Pen pen;
  pen.Circle(0, 0, 16).Line(0, 16, 0, 24);
  Symbol symbol = MakeBox(32, 48, pen.text(), {{0, 0, letter, 13}});
  symbol.AddAnchor("port", 0, 24, Side::kBottom);
  for (const SymbolEnd& end : subject.ends) {
    if (!end.is_port) symbol.AddAnchor(end.name, 16, 0, Side::kRight);
  }
  return symbol;
}

Symbol MakePressureSensor(const SymbolSubject& subject) { return MakeSensor(subject, "p"); }

Symbol MakeFlowSensor(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(-32, 0, 32, 0).Circle(0, 0, 16).Path("M-9 -5Q0 1 9 -5", "t").Path("M-9 5Q0 -1 9 5", "t");
  return MakeTwoEnds(pen, "inlet", "outlet", 64, 48);
}

Symbol MakeOilSource(const SymbolSubject& subject, const Pen& pen, const SymbolText& letter) {
  Symbol symbol = MakeBox(48, 32, pen.text(), {letter});
  symbol.AddAnchor("port", 24, 0, Side::kRight);
  AddInputsAtLeft(subject, symbol, -16);
  return symbol;
}

Symbol MakePressureSource(const SymbolSubject& subject) {
  Pen pen;
  pen.Circle(0, 0, 16).Line(16, 0, 24, 0);
  return MakeOilSource(subject, pen, {0, 0, "p", 13});
}

Symbol MakeFlowSource(const SymbolSubject& subject) {
  Pen pen;
  pen.Circle(0, 0, 16).Line(16, 0, 24, 0).Polygon({{15, 0}, {5, -6}, {5, 6}}, "k");
  return MakeOilSource(subject, pen, {-4, 0, "q", 13});
}

/// The oil of a system: nothing connects to it.
Symbol MakeFluid(const SymbolSubject& subject) {
  Pen icon;
  icon.Path("M0 -13C6 -4 9 0 9 4A9 9 0 0 1 -9 4C-9 0 -6 -4 0 -13Z");
  return MakeBlock(subject, "", icon.text());
}

Symbol MakeOilHeat(const SymbolSubject& subject) {
  Pen icon;
  icon.Path("M-8 -13C-2 -4 1 0 1 4A9 9 0 0 1 -17 4C-17 0 -14 -4 -8 -13Z")
      .Path("M10 -12V4A4 4 0 1 0 14 4V-12A2 2 0 0 0 10 -12Z");
  return MakeBlock(subject, "", icon.text());
}

}  // namespace

std::span<const SymbolMaker> LineSymbols() {
  static constexpr auto kAll = std::to_array<SymbolMaker>({
      {"hydraulic.Pipe", MakePipe},
      {"hydraulic.Line", MakeWaveLine},
      {"hydraulic.Hose", MakeHose},
      {"hydraulic.Volume", MakeVolume},
      {"hydraulic.VolumeC", MakeVolume},
      {"hydraulic.Junction", MakeJunction},
      {"hydraulic.Tank", MakeTank},
      {"hydraulic.Accumulator", MakeAccumulator},
      {"hydraulic.AccumulatorC", MakeAccumulator},
      {"hydraulic.Orifice", MakeOrifice},
      {"hydraulic.Restriction", MakeRestriction},
      {"hydraulic.Filter", MakeFilter},
      {"hydraulic.Cooler", MakeCooler},
      {"hydraulic.PressureSensor", MakePressureSensor},
      {"hydraulic.FlowSensor", MakeFlowSensor},
      {"hydraulic.PressureSource", MakePressureSource},
      {"hydraulic.FlowSource", MakeFlowSource},
      {"hydraulic.Fluid", MakeFluid},
      {"pneumatic.Chamber", MakeVolume},
      {"pneumatic.Orifice", MakeOrifice},
      {"pneumatic.Tube", MakeHose},
      {"hydraulic.OilHeat", MakeOilHeat},
  });
  return kAll;
}

}  // namespace davit
