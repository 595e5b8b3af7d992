#include <array>
#include <string>
#include <string_view>

#include "drawing/symbols/pen.h"
#include "drawing/symbols/symbol_table.h"

namespace davit {
namespace {

constexpr double kBox = 32;  // of a valve position
constexpr double kPort = 8;  // of a port, from the middle of the box
constexpr double kEnd = 16;  // half of a box

/// Which of P, A, B and T are joined in neutral, by the letter of the spool.
std::string JoinedInNeutral(std::string_view spool) {
  if (spool == "B" || spool == "X") return "PABT";
  if (spool == "M") return "PT";
  if (spool == "Y") return "ABT";
  if (spool == "K") return "PAT";
  if (spool == "P") return "PAB";
  return "";
}

/// The position in the middle: ports joined by a cross line, the others shut.
void DrawNeutral(Pen& pen, std::string_view joined, bool is_throttled) {
  struct Port {
    char name;
    double x, y;
  };
  double low = kPort, high = -kPort;
  for (const Port& port :
       {Port{'P', -kPort, kEnd}, Port{'T', kPort, kEnd}, Port{'A', -kPort, -kEnd}, Port{'B', kPort, -kEnd}}) {
    const double inwards = port.y > 0 ? -1 : 1;
    if (joined.find(port.name) == std::string_view::npos) {
      pen.Line(port.x, port.y, port.x, port.y + 7 * inwards);
      pen.Line(port.x - 4, port.y + 7 * inwards, port.x + 4, port.y + 7 * inwards);
      continue;
    }
    pen.Line(port.x, port.y, port.x, 0);
    if (is_throttled) pen.Path(port.x < 0 ? "M-11 -7Q-7 -10 -11 -13" : "M5 -7Q9 -10 5 -13", "t");
    low = port.x < low ? port.x : low;
    high = port.x > high ? port.x : high;
  }
  if (low < high) pen.Line(low, 0, high, 0);
}

/// 4/3: boxes side by side; the one that is between the ports counts.
Symbol MakeDirectionalValve(const SymbolSubject& subject) {
  Symbol symbol = MakeBox(192, 48);
  symbol.signal_gap = 8;
  Pen boxes;
  for (const double x : {-kBox, 0.0, kBox}) boxes.Rect(x - kEnd, -kEnd, kBox, kBox);
  for (const double y : {-19.0, 19.0})
    boxes.Line(-1.5 * kBox, y, 1.5 * kBox, y, "t");  // any position between
  boxes.Arrow(-kBox - kPort, kEnd, -kBox - kPort, -kEnd).Arrow(-kBox + kPort, -kEnd, -kBox + kPort, kEnd);
  boxes.Arrow(kBox - kPort, kEnd, kBox + kPort, -kEnd).Arrow(kBox - kPort, -kEnd, kBox + kPort, kEnd);
  const std::string spool = subject.ReadText("spool_type");
  DrawNeutral(boxes, JoinedInNeutral(spool), spool == "X");
  // Solenoids with springs at both ends.
  for (const double side : {-1.0, 1.0}) {
    boxes.Rect(side > 0 ? 48 : -64, -2, 16, 12).Line(side * 48, 10, side * 64, -2, "t");
    boxes.Spring(side * 48, -9, side * 62, -9, 8, 3);
  }
  Pen pen;
  if (subject.FindEnd("spool") != nullptr) pen.Line(-96, 0, -56, 0, "t");
  // The place of the spool, also where it follows its input at once.
  pen.Moving({.signal = subject.path + ".spool_x",
              .from = {-kBox, 0},
              .to = {kBox, 0},
              .low = -1,
              .high = 1,
              .now = subject.Read("spool_x"),
              .is_valve = true},
             boxes);
  for (const double x : {-kPort, kPort}) pen.Line(x, kEnd, x, 24).Line(x, -kEnd, x, -24);

  symbol.shapes = pen.text();
  symbol.texts = {{-14, 25, "P", 7}, {14, 25, "T", 7}, {-14, -25, "A", 7}, {14, -25, "B", 7}};
  symbol.badge = {76, -20};
  symbol.AddAnchor("p", -kPort, 24, Side::kBottom, -1);
  symbol.AddAnchor("t", kPort, 24, Side::kBottom, -1);
  symbol.AddAnchor("a", -kPort, -24, Side::kTop, 1);
  symbol.AddAnchor("b", kPort, -24, Side::kTop, 1);
  symbol.AddAnchor("spool", -96, 0, Side::kLeft);
  return symbol;
}

/// 2/2, shut at 0 and open at 1: boxes above each other.
Symbol MakeShutOffValve(const SymbolSubject& subject) {
  Symbol symbol = MakeBox(48, 112);
  Pen boxes;
  boxes.Rect(-kEnd, -kEnd, kBox, kBox).Rect(-kEnd, -kEnd - kBox, kBox, kBox);
  boxes.Line(-kEnd, 0, -7, 0).Line(-7, -5, -7, 5).Line(kEnd, 0, 7, 0).Line(7, -5, 7, 5);
  boxes.Arrow(-kEnd, -kBox, kEnd, -kBox);
  boxes.Rect(-6, -56, 12, 8).Line(-6, -48, 6, -56, "t").Spring(0, 16, 0, 26, 10, 3);
  Pen pen;
  pen.Moving({.signal = subject.path + ".opening",
              .from = {0, 0},
              .to = {0, kBox},
              .low = 0,
              .high = 1,
              .now = subject.Read("opening"),
              .is_valve = true},
             boxes);
  pen.Line(-24, 0, -kEnd, 0).Line(kEnd, 0, 24, 0);
  symbol.shapes = pen.text();
  symbol.AddAnchor("a", -24, 0, Side::kLeft);
  symbol.AddAnchor("b", 24, 0, Side::kRight);
  symbol.AddAnchor("opening", 0, -56, Side::kTop);
  return symbol;
}

/// A ball on its seat at (x, y), which lets the oil pass to the right.
void DrawCheck(Pen& pen, double x, double y) {
  pen.Polyline({{x + 5, y - 9}, {x - 6, y}, {x + 5, y + 9}}).Circle(x + 3, y, 5.2);
}

Symbol MakeCheckValve(const SymbolSubject& subject) {
  Symbol symbol = MakeBox(48, 32);
  Pen pen;
  pen.Line(-24, 0, -6, 0).Spring(8.2, 0, 18, 0, 8, 3).Line(18, 0, 24, 0);
  DrawCheck(pen, 0, 0);
  if (subject.FindEnd("pilot") != nullptr) pen.Polyline({{0, 16}, {0, 12}, {-6, 0}}, "d");
  symbol.shapes = pen.text();
  symbol.AddAnchor("pilot", 0, 16, Side::kBottom);
  symbol.AddAnchor("a", -24, 0, Side::kLeft);
  symbol.AddAnchor("b", 24, 0, Side::kRight);
  return symbol;
}

/// Normally shut: the arrow lies beside the way; the pilot pressure pushes it there against the spring.
Symbol MakeReliefValve(const SymbolSubject& subject) {
  Symbol symbol = MakeBox(64, 64);
  symbol.signal_gap = 16;
  Pen pen;
  pen.Rect(-16, -16, 32, 32).Line(-32, 0, -16, 0).Line(16, 0, 32, 0).Arrow(-16, -6, 16, -6);
  if (subject.FindEnd("pilot") != nullptr) {
    pen.Line(0, 32, 0, 16, "d");
  } else {
    pen.Polyline({{-24, 0}, {-24, 24}, {0, 24}, {0, 16}}, "d");
  }
  pen.Spring(0, -16, 0, -30, 10, 3).Arrow(-10, -18, 11, -30, 5, "t");
  symbol.shapes = pen.text();
  symbol.AddAnchor("in", -32, 0, Side::kLeft);
  symbol.AddAnchor("out", 32, 0, Side::kRight);
  symbol.AddAnchor("pilot", 0, 32, Side::kBottom);
  return symbol;
}

/// Normally open: the arrow lies in the way; the pressure at the outlet pushes it out of it.
Symbol MakePressureReducingValve(const SymbolSubject& subject) {
  Symbol symbol = MakeBox(64, 64);
  symbol.signal_gap = 16;
  Pen pen;
  pen.Rect(-16, -16, 32, 32).Line(-32, 0, -16, 0).Line(16, 0, 32, 0).Arrow(-16, 0, 16, 0);
  pen.Polyline({{24, 0}, {24, 24}, {8, 24}, {8, 16}}, "d");
  pen.Spring(0, -16, 0, -30, 10, 3).Arrow(-10, -18, 11, -30, 5, "t");
  if (subject.FindEnd("tank") != nullptr) pen.Line(-8, 16, -8, 32).Line(-12, 12, -4, 12).Line(-8, 12, -8, 16);
  symbol.shapes = pen.text();
  symbol.AddAnchor("in", -32, 0, Side::kLeft);
  symbol.AddAnchor("out", 32, 0, Side::kRight);
  symbol.AddAnchor("tank", -8, 32, Side::kBottom);
  return symbol;
}

/// A ball between two seats.
Symbol MakeShuttle(const SymbolSubject& /*subject*/) {
  Symbol symbol = MakeBox(64, 48);
  Pen pen;
  pen.Rect(-24, -12, 48, 24).Line(-32, 0, -18, 0).Line(18, 0, 32, 0).Line(0, -12, 0, -24);
  pen.Polyline({{-12, -9}, {-18, 0}, {-12, 9}}).Polyline({{12, -9}, {18, 0}, {12, 9}}).Circle(-8, 0, 5.2);
  symbol.shapes = pen.text();
  symbol.AddAnchor("a", -32, 0, Side::kLeft);
  symbol.AddAnchor("b", 32, 0, Side::kRight);
  symbol.AddAnchor("out", 0, -24, Side::kTop, 1);
  return symbol;
}

/// A throttle that can be set, with the arrow of pressure compensation on its way.
Symbol MakeFlowControlValve(const SymbolSubject& subject) {
  Symbol symbol = MakeBox(64, 64);
  symbol.signal_gap = 8;
  Pen pen;
  pen.Rect(-20, -16, 40, 32).Line(-32, 0, 32, 0);
  pen.Path("M-9 -9Q0 -3 9 -9")
      .Path("M-9 9Q0 3 9 9")
      .Arrow(-12, 14, 12, -14, 5, "t")
      .Arrow(12, 0, 18, 0, 5, "t");
  if (subject.FindEnd("bypass") != nullptr) pen.Line(0, 16, 0, 32);
  if (subject.FindEnd("flow") != nullptr) pen.Line(0, -16, 0, -32, "t");
  symbol.shapes = pen.text();
  symbol.AddAnchor("in", -32, 0, Side::kLeft);
  symbol.AddAnchor("out", 32, 0, Side::kRight);
  symbol.AddAnchor("bypass", 0, 32, Side::kBottom);
  symbol.AddAnchor("flow", 0, -32, Side::kTop);
  return symbol;
}

/// Two throttles behind one line, kept in their ratio.
Symbol MakeFlowDivider(const SymbolSubject& /*subject*/) {
  Symbol symbol = MakeBox(64, 64);
  Pen pen;
  pen.Rect(-20, -24, 40, 48).Line(-32, 0, -12, 0).Line(-12, -14, -12, 14);
  for (const double y : {-14.0, 14.0}) {
    pen.Line(-12, y, 32, y).Path(y < 0 ? "M-4 -21Q4 -16 12 -21" : "M-4 7Q4 12 12 7", "t");
    pen.Path(y < 0 ? "M-4 -7Q4 -12 12 -7" : "M-4 21Q4 16 12 21", "t");
  }
  symbol.shapes = pen.text();
  symbol.AddAnchor("in", -32, 0, Side::kLeft);
  symbol.AddAnchor("a", 32, -14, Side::kRight);
  symbol.AddAnchor("b", 32, 14, Side::kRight);
  return symbol;
}

/// A poppet on its seat, held by a spring and the pilot above it.
Symbol MakeLogicElement(const SymbolSubject& /*subject*/) {
  Symbol symbol = MakeBox(64, 80);
  Pen pen;
  pen.Rect(-16, -24, 32, 48).Polyline({{-10, -12}, {-10, 6}, {0, 18}, {10, 6}, {10, -12}, {-10, -12}});
  pen.Line(-8, 24, 0, 18).Line(8, 24, 0, 18).Spring(0, -12, 0, -24, 8, 3);
  pen.Line(0, -40, 0, -24, "d").Line(0, 24, 0, 40).Line(16, 16, 32, 16);
  symbol.shapes = pen.text();
  symbol.texts = {{8, 36, "A", 7}, {26, 10, "B", 7}, {8, -34, "X", 7}};
  symbol.AddAnchor("x", 0, -40, Side::kTop);
  symbol.AddAnchor("a", 0, 40, Side::kBottom, -1);
  symbol.AddAnchor("b", 32, 16, Side::kRight);
  return symbol;
}

/// A check valve past a relief valve that the pilot helps to open: free from a to c, held from c to a.
Symbol MakeCounterbalanceValve(const SymbolSubject& /*subject*/) {
  Symbol symbol = MakeBox(96, 80);
  Pen pen;
  pen.Add("<rect class=\"f\" x=\"-40\" y=\"-32\" width=\"80\" height=\"64\"/>");
  pen.Line(-48, -16, 48, -16);
  pen.Rect(-10, -28, 20, 24, "w");
  pen.Line(-10, -16, -6, -16).Line(8, -16, 10, -16);
  DrawCheck(pen, 0, -16);
  pen.Polyline({{-32, -16}, {-32, 12}, {-12, 12}}).Polyline({{32, -16}, {32, 12}, {12, 12}});
  pen.Circle(-32, -16, 2, "k").Circle(32, -16, 2, "k");
  pen.Rect(-12, 0, 24, 24).Arrow(12, 7, -12, 7);
  pen.Line(0, 24, 0, 40, "d").Polyline({{24, 12}, {24, 28}, {6, 28}, {6, 24}}, "d");
  pen.Spring(-12, 20, -26, 24, 7, 3);
  symbol.shapes = pen.text();
  symbol.badge = {46, -34};
  symbol.AddAnchor("a", -48, -16, Side::kLeft);
  symbol.AddAnchor("c", 48, -16, Side::kRight);
  symbol.AddAnchor("pilot", 0, 40, Side::kBottom);
  return symbol;
}

}  // namespace

std::span<const SymbolMaker> ValveSymbols() {
  static constexpr auto kAll = std::to_array<SymbolMaker>({
      {"hydraulic.DirectionalControlValve", MakeDirectionalValve},
      {"hydraulic.DirectionalValve22", MakeShutOffValve},
      {"hydraulic.CheckValve", MakeCheckValve},
      {"hydraulic.ReliefValve", MakeReliefValve},
      {"hydraulic.CounterbalanceValve", MakeCounterbalanceValve},
      {"hydraulic.PressureReducingValve", MakePressureReducingValve},
      {"hydraulic.Shuttle", MakeShuttle},
      {"hydraulic.FlowControlValve", MakeFlowControlValve},
      {"hydraulic.FlowDivider", MakeFlowDivider},
      {"hydraulic.LogicElement", MakeLogicElement},
  });
  return kAll;
}

}  // namespace davit
