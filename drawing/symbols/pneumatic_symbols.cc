#include <array>
#include <string>

#include "drawing/symbols/pen.h"
#include "drawing/symbols/symbol_table.h"

namespace davit {
namespace {

/// A source of compressed air: an open triangle in a circle, oil has a filled one.
Symbol MakeAirSupply(const SymbolSubject& subject) {
  Pen pen;
  pen.Circle(0, 0, 16).Line(16, 0, 24, 0).Polygon({{14, 0}, {2, -7}, {2, 7}});
  Symbol symbol = MakeBox(48, 32, pen.text());
  symbol.AddAnchor("port", 24, 0, Side::kRight);
  AddInputsAtLeft(subject, symbol, -16);
  return symbol;
}

/// An exhaust without a pipe: an open triangle at the end of the line.
Symbol MakeExhaust(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(0, -16, 0, -2).Polygon({{-9, -2}, {9, -2}, {0, 12}});
  Symbol symbol = MakeBox(32, 32, pen.text());
  symbol.AddAnchor("port", 0, -16, Side::kTop);
  return symbol;
}

constexpr double kAirBox = 32, kAirEnd = 16;
// Ports of one position, from its middle: 4 (A) and 2 (B) above, 5, 1 (P) and 3 below.
constexpr double kA = -8, kB = 8, kExhaustA = -8, kP = 0, kExhaustB = 8;

void DrawShut(Pen& pen, double x, double y) {
  const double inwards = y > 0 ? -5 : 5;
  pen.Line(x, y, x, y + inwards).Line(x - 3, y + inwards, x + 3, y + inwards);
}

/// What a position joins: 1 P to A, -1 P to B, 0 the centre.
void DrawAirPosition(Pen& pen, double at, int side, const std::string& centre) {
  pen.Rect(at - kAirEnd, -kAirEnd, kAirBox, kAirBox);
  const double y = kAirEnd;
  if (side > 0) {
    pen.Arrow(at + kP, y, at + kA, -y, 5).Arrow(at + kB, -y, at + kExhaustB, y, 5);
    DrawShut(pen, at + kExhaustA, y);
  } else if (side < 0) {
    pen.Arrow(at + kP, y, at + kB, -y, 5).Arrow(at + kA, -y, at + kExhaustA, y, 5);
    DrawShut(pen, at + kExhaustB, y);
  } else if (centre == "exhausted") {
    pen.Arrow(at + kA, -y, at + kExhaustA, y, 5).Arrow(at + kB, -y, at + kExhaustB, y, 5);
    DrawShut(pen, at + kP, y);
  } else if (centre == "pressurized") {
    pen.Arrow(at + kP, y, at + kA, -y, 5).Arrow(at + kP, y, at + kB, -y, 5);
    DrawShut(pen, at + kExhaustA, y);
    DrawShut(pen, at + kExhaustB, y);
  } else {
    for (const double x : {kExhaustA, kP, kExhaustB}) DrawShut(pen, at + x, y);
    for (const double x : {kA, kB}) DrawShut(pen, at + x, -y);
  }
}

/// 5/3 or 5/2: boxes side by side; the one that is between the ports counts.
Symbol MakeAirDirectionalValve(const SymbolSubject& subject) {
  Symbol symbol = MakeBox(192, 48);
  symbol.signal_gap = 8;
  const bool has_two = subject.ReadText("positions") == "2";
  Pen boxes;
  const double first = has_two ? -kAirEnd : -kAirBox, last = -first;
  DrawAirPosition(boxes, first, 1, "");
  if (!has_two) DrawAirPosition(boxes, 0, 0, subject.ReadText("centre"));
  DrawAirPosition(boxes, last, -1, "");
  // A solenoid at one end; the spring brings two positions back, three are centred by two springs.
  const double left = first - kAirEnd, right = last + kAirEnd;
  boxes.Rect(left - 16, -2, 16, 12)
      .Line(left, 10, left - 16, -2, "t")
      .Spring(right, -9, right + 14, -9, 8, 3);
  if (!has_two) {
    boxes.Rect(right, -2, 16, 12).Line(right, 10, right + 16, -2, "t").Spring(left, -9, left - 14, -9, 8, 3);
  }
  Pen pen;
  if (subject.FindEnd("spool") != nullptr) pen.Line(-96, 0, -56, 0, "t");
  pen.Moving({.signal = subject.path + ".x",
              .from = {-last, 0},
              .to = {last, 0},
              .low = has_two ? 0.0 : -1.0,
              .high = 1,
              .now = subject.Read("x"),
              .is_valve = true},
             boxes);
  for (const double x : {kExhaustA, kP, kExhaustB}) pen.Line(x, kAirEnd, x, 24);
  for (const double x : {kA, kB}) pen.Line(x, -kAirEnd, x, -24);
  symbol.shapes = pen.text();
  symbol.texts = {
      {-14, -25, "4", 7}, {14, -25, "2", 7}, {-14, 25, "5", 7}, {4, 28, "1", 7}, {14, 25, "3", 7}};
  symbol.badge = {76, -20};
  symbol.AddAnchor("p", kP, 24, Side::kBottom, -1);
  symbol.AddAnchor("exhaust_a", kExhaustA, 24, Side::kBottom, -1);
  symbol.AddAnchor("exhaust_b", kExhaustB, 24, Side::kBottom, -1);
  symbol.AddAnchor("a", kA, -24, Side::kTop, 1);
  symbol.AddAnchor("b", kB, -24, Side::kTop, 1);
  symbol.AddAnchor("spool", -96, 0, Side::kLeft);
  return symbol;
}

/// Normally open, with the pressure at the outlet on its pilot; a triangle where it relieves.
Symbol MakeAirRegulator(const SymbolSubject& subject) {
  Symbol symbol = MakeBox(64, 64);
  symbol.signal_gap = 16;
  Pen pen;
  pen.Rect(-16, -16, 32, 32).Line(-32, 0, -16, 0).Line(16, 0, 32, 0).Arrow(-16, 0, 16, 0);
  pen.Polyline({{24, 0}, {24, 24}, {8, 24}, {8, 16}}, "d");
  pen.Spring(0, -16, 0, -30, 10, 3).Arrow(-10, -18, 11, -30, 5, "t");
  if (subject.FindEnd("exhaust") != nullptr) {
    pen.Line(-8, 16, -8, 32).Polygon({{-13, 16}, {-3, 16}, {-8, 24}});
  }
  symbol.shapes = pen.text();
  symbol.AddAnchor("inlet", -32, 0, Side::kLeft);
  symbol.AddAnchor("outlet", 32, 0, Side::kRight);
  symbol.AddAnchor("exhaust", -8, 32, Side::kBottom);
  return symbol;
}

}  // namespace

std::span<const SymbolMaker> PneumaticSymbols() {
  static constexpr auto kAll = std::to_array<SymbolMaker>({
      {"pneumatic.Supply", MakeAirSupply},
      {"pneumatic.Exhaust", MakeExhaust},
      {"pneumatic.DirectionalValve", MakeAirDirectionalValve},
      {"pneumatic.Regulator", MakeAirRegulator},
  });
  return kAll;
}

}  // namespace davit
