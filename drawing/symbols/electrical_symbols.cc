#include <array>

#include "drawing/symbols/pen.h"
#include "drawing/symbols/symbol_table.h"

namespace davit {
namespace {

Symbol MakeResistor(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(-32, 0, -18, 0).Line(18, 0, 32, 0).Rect(-18, -7, 36, 14);
  Symbol symbol = MakeBox(64, 32, pen.text());
  symbol.AddAnchor("a", -32, 0, Side::kLeft);
  symbol.AddAnchor("b", 32, 0, Side::kRight);
  symbol.AddAnchor("heat", 0, -16, Side::kTop);
  return symbol;
}

Symbol MakeInductor(const SymbolSubject& subject) {
  Symbol symbol = MakeResistor(subject);
  symbol.anchors.pop_back();
  Pen pen;
  pen.Path("M-32 0H-20A5 5 0 0 1 -10 0A5 5 0 0 1 0 0A5 5 0 0 1 10 0A5 5 0 0 1 20 0H32");
  symbol.shapes = pen.text();
  return symbol;
}

/// One plate on ground.
Symbol MakeCapacitor(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(0, -32, 0, -6).Line(-14, -6, 14, -6).Line(-14, 2, 14, 2).Line(0, 2, 0, 16);
  pen.Line(-10, 16, 10, 16).Line(-6, 20, 6, 20).Line(-2, 24, 2, 24);
  Symbol symbol = MakeBox(32, 64, pen.text());
  symbol.AddAnchor("port", 0, -32, Side::kTop);
  return symbol;
}

Symbol MakeGround(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(0, -16, 0, 0).Line(-14, 0, 14, 0).Line(-9, 5, 9, 5).Line(-4, 10, 4, 10);
  Symbol symbol = MakeBox(32, 32, pen.text());
  symbol.AddAnchor("port", 0, -16, Side::kTop);
  return symbol;
}

Symbol MakeVoltageSource(const SymbolSubject& subject) { return MakeSource(subject, "U"); }
Symbol MakeCurrentSource(const SymbolSubject& subject) { return MakeSource(subject, "I"); }

Symbol MakeDcMotor(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Circle(0, 0, 24).Rect(-9, -30, 18, 6).Rect(-9, 24, 18, 6);
  pen.Line(0, -30, 0, -32)
      .Line(0, 30, 0, 32)
      .Line(24, -2.5, 32, -2.5)
      .Line(24, 2.5, 32, 2.5)
      .Line(16, 18, 16, 32, "t");
  Symbol symbol = MakeBox(64, 64, pen.text(), {{0, 0, "M", 18}});
  symbol.signal_gap = 14;
  symbol.AddAnchor("a", 0, -32, Side::kTop);
  symbol.AddAnchor("b", 0, 32, Side::kBottom);
  symbol.AddAnchor("shaft", 32, 0, Side::kRight);
  symbol.AddAnchor("heat", 16, 32, Side::kBottom);
  return symbol;
}

Symbol MakeElectricalJunction(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(-16, 0, 16, 0).Line(0, -16, 0, 16).Circle(0, 0, 4, "k");
  Symbol symbol = MakeBox(32, 32, pen.text());
  symbol.AddAnchor("port", -16, 0, Side::kLeft);
  symbol.AddAnchor("port", 16, 0, Side::kRight);
  symbol.AddAnchor("port", 0, -16, Side::kTop);
  symbol.AddAnchor("port", 0, 16, Side::kBottom);
  return symbol;
}

Symbol MakeAmplifier(const SymbolSubject& subject) {
  Pen icon;
  icon.Polygon({{-14, -14}, {-14, 14}, {14, 0}}, "s");
  return MakeBlock(subject, "", icon.text());
}

Symbol MakeInductionMotor(const SymbolSubject& subject) {
  Pen pen;
  pen.Circle(0, 0, 24).Line(24, -2.5, 32, -2.5).Line(24, 2.5, 32, 2.5);
  Symbol symbol = MakeBox(64, 64, pen.text(), {{0, -5, "M", 16}, {0, 10, "3~", 12}});
  symbol.AddAnchor("shaft", 32, 0, Side::kRight);
  AddInputsAtLeft(subject, symbol, -24);
  return symbol;
}

}  // namespace

std::span<const SymbolMaker> ElectricalSymbols() {
  static constexpr auto kAll = std::to_array<SymbolMaker>({
      {"electrical.Resistor", MakeResistor},
      {"electrical.Inductor", MakeInductor},
      {"electrical.Capacitor", MakeCapacitor},
      {"electrical.CapacitorC", MakeCapacitor},
      {"electrical.Ground", MakeGround},
      {"electrical.VoltageSource", MakeVoltageSource},
      {"electrical.CurrentSource", MakeCurrentSource},
      {"electrical.DcMotor", MakeDcMotor},
      {"electrical.InductionMotor", MakeInductionMotor},
      {"electrical.Junction", MakeElectricalJunction},
      {"electrical.TransistorAmplifier", MakeAmplifier},
  });
  return kAll;
}

}  // namespace davit
