#include <array>

#include "drawing/symbols/pen.h"
#include "drawing/symbols/symbol_table.h"

namespace davit {
namespace {

Symbol MakeThermal(const Pen& pen, const char* letter) {
  Symbol symbol = MakeBox(64, 48, pen.text(), {{0, 0, letter, 12}});
  symbol.AddAnchor("a", -32, 0, Side::kLeft);
  symbol.AddAnchor("b", 32, 0, Side::kRight);
  return symbol;
}

Symbol MakeConductance(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(-32, 0, -20, 0).Line(20, 0, 32, 0).Rect(-20, -12, 40, 24);
  for (const double x : {-12.0, 4.0}) pen.Line(x, 12, x + 8, -12, "t");
  return MakeThermal(pen, "");
}

Symbol MakeConvection(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(-32, 0, -20, 0).Line(20, 0, 32, 0).Rect(-20, -16, 8, 32, "g").Line(20, -16, 20, 16, "t");
  for (const double y : {-8.0, 0.0, 8.0}) {
    pen.Arrow(-10, y, 16, y, 5, "t");
  }
  return MakeThermal(pen, "");
}

/// A body with one temperature: a port on every side.
Symbol MakeCapacity(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Rect(-24, -24, 48, 48, "g", 8);
  Symbol symbol = MakeBox(48, 48, pen.text(), {{0, 0, "C", 15}});
  symbol.AddAnchor("port", -24, 0, Side::kLeft);
  symbol.AddAnchor("port", 24, 0, Side::kRight);
  symbol.AddAnchor("port", 0, -24, Side::kTop);
  symbol.AddAnchor("port", 0, 24, Side::kBottom);
  return symbol;
}

Symbol MakeHeatSource(const SymbolSubject& subject) { return MakeSource(subject, "Q"); }
Symbol MakeTemperature(const SymbolSubject& subject) { return MakeSource(subject, "T"); }

}  // namespace

std::span<const SymbolMaker> ThermalSymbols() {
  static constexpr auto kAll = std::to_array<SymbolMaker>({
      {"thermal.Conductance", MakeConductance},
      {"thermal.Convection", MakeConvection},
      {"thermal.Capacity", MakeCapacity},
      {"thermal.CapacityC", MakeCapacity},
      {"thermal.HeatSource", MakeHeatSource},
      {"thermal.Temperature", MakeTemperature},
  });
  return kAll;
}

}  // namespace davit
