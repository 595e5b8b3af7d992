#include <array>
#include <string>

#include "drawing/symbols/pen.h"
#include "drawing/symbols/symbol_table.h"

namespace davit {
namespace {

/// ISO 1219-1: a circle; the filled triangle points where the oil goes.
constexpr double kMachineRadius = 24;

void AddVariableArrow(Pen& pen) { pen.Arrow(-24, 24, 25, -25, 8); }

Symbol MakePump(const SymbolSubject& subject, bool is_variable) {
  Symbol symbol = MakeBox(64, 64);
  symbol.signal_gap = 16;
  Pen pen;
  if (is_variable) AddVariableArrow(pen);
  pen.Circle(0, 0, kMachineRadius);
  if (is_variable) pen.Add("").Line(-17, 17, 17, -17);
  pen.Polygon({{24, 0}, {11, -8}, {11, 8}}, "k").Line(-32, 0, -24, 0).Line(24, 0, 32, 0);
  pen.Line(-2.5, -32, -2.5, -24).Line(2.5, -32, 2.5, -24);  // shaft
  pen.Path("M-9 -27A11 5 0 0 0 9 -29", "t");
  symbol.AddAnchor("in", -32, 0, Side::kLeft);
  symbol.AddAnchor("out", 32, 0, Side::kRight);
  if (subject.FindEnd("drain") != nullptr) {
    pen.Line(0, 24, 0, 32, "d");
    symbol.AddAnchor("drain", 0, 32, Side::kBottom);
  }
  if (subject.FindEnd("shaft") != nullptr) symbol.AddAnchor("shaft", 0, -32, Side::kTop, -1);
  if (subject.FindEnd("load_pressure") != nullptr) {
    symbol.AddAnchor("load_pressure", -16, 32, Side::kBottom);
    pen.Line(-16, 32, -16, 18, "t");
  }
  if (subject.FindEnd("displacement") != nullptr) symbol.AddAnchor("displacement", -24, 32, Side::kBottom);
  symbol.shapes = pen.text();
  return symbol;
}

Symbol MakeFixedPump(const SymbolSubject& subject) { return MakePump(subject, false); }
Symbol MakeVariablePump(const SymbolSubject& subject) { return MakePump(subject, true); }

Symbol MakeMotor(const SymbolSubject& /*subject*/) {
  Symbol symbol = MakeBox(64, 64);
  symbol.signal_gap = 16;
  Pen pen;
  pen.Circle(0, 0, kMachineRadius)
      .Polygon({{0, -11}, {-8, -23}, {8, -23}}, "k")
      .Polygon({{0, 11}, {-8, 23}, {8, 23}}, "k")
      .Line(0, -32, 0, -24)
      .Line(0, 24, 0, 32)
      .Line(24, -2.5, 32, -2.5)
      .Line(24, 2.5, 32, 2.5);
  symbol.shapes = pen.text();
  symbol.AddAnchor("a", 0, -32, Side::kTop, -1);
  symbol.AddAnchor("b", 0, 32, Side::kBottom, -1);
  symbol.AddAnchor("shaft", 32, 0, Side::kRight);
  return symbol;
}

/// Barrel with piston and rod, which move with x between the stops; a single acting one has oil on one side.
Symbol MakeCylinder(const SymbolSubject& subject) {
  constexpr double kLeft = -80, kBarrel = 80, kHalf = 16, kPiston = 8, kTravel = 56;
  Symbol symbol = MakeBox(160, 48);
  const double right = kLeft + kBarrel;
  const double stroke = subject.Read("stroke") > 0 ? subject.Read("stroke") : 1;
  const Pen::Motion motion{.signal = subject.path + ".x",
                           .from = {0, 0},
                           .to = {kTravel, 0},
                           .low = 0,
                           .high = stroke,
                           .now = subject.Read("x")};
  const double piston = kLeft + 8;
  const bool is_double_acting = subject.FindEnd("b") != nullptr;
  const std::string side_a = is_double_acting ? ".p_a" : ".p";
  Pen chamber_a;
  chamber_a.Add("<rect class=\"vessel\" data-effort=\"" + subject.path + side_a + "\" x=\"" +
                SvgNumber(piston - kBarrel) + "\" y=\"-16\" width=\"80\" height=\"32\"/>");
  Pen inside;
  if (is_double_acting) {
    inside.Add("<rect class=\"vessel\" data-effort=\"" + subject.path + ".p_b\" x=\"" + SvgNumber(kLeft) +
               "\" y=\"-16\" width=\"80\" height=\"32\"/>");
  }
  inside.Moving(motion, chamber_a);
  Pen rod;
  rod.Rect(piston + kPiston, -4, right + 8 - piston - kPiston, 8)
      .Rect(piston, -kHalf, kPiston, 2 * kHalf, "k")
      .Circle(right + 8, 0, 5);
  Pen pen;
  // An inner svg clips at its edges; its content is drawn in units of the symbol.
  pen.Add("<svg class=\"chambers\" x=\"-80\" y=\"-16\" width=\"80\" height=\"32\" viewBox=\"-80 -16 80 32\">")
      .Add(inside.text())
      .Add("</svg>")
      .Line(right, 0, 80, 0, "m")
      .Rect(kLeft, -kHalf, kBarrel, 2 * kHalf, "s")
      .Moving(motion, rod)
      .Line(-72, kHalf, -72, 24);
  symbol.AddAnchor("a", -72, 24, Side::kBottom, -1);
  if (is_double_acting) {
    pen.Line(-8, kHalf, -8, 24);
    symbol.AddAnchor("b", -8, 24, Side::kBottom, -1);
  }
  symbol.shapes = pen.text();
  symbol.badge = {8, -22};
  symbol.AddAnchor("rod", 80, 0, Side::kRight);
  return symbol;
}

}  // namespace

std::span<const SymbolMaker> MachineSymbols() {
  static constexpr auto kAll = std::to_array<SymbolMaker>({
      {"hydraulic.FixedDisplacementPump", MakeFixedPump},
      {"hydraulic.AxialPistonPump", MakeVariablePump},
      {"hydraulic.HydraulicMotor", MakeMotor},
      {"hydraulic.Cylinder", MakeCylinder},
      {"hydraulic.CylinderC", MakeCylinder},
      {"hydraulic.SingleActingCylinder", MakeCylinder},
      {"pneumatic.Cylinder", MakeCylinder},
  });
  return kAll;
}

}  // namespace davit
