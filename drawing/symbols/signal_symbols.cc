#include <array>

#include "drawing/symbols/pen.h"
#include "drawing/symbols/symbol_table.h"

namespace davit {
namespace {

/// Axes of a curve over time, or of an output over an input.
constexpr std::string_view kAxes = "M-18 0H18M0 -14V14";

Symbol MakeCurve(const SymbolSubject& subject, std::string_view curve, bool has_axes = false) {
  Pen icon;
  if (has_axes) icon.Path(kAxes, "t");
  icon.Path(curve);
  return MakeBlock(subject, "", icon.text());
}

Symbol MakeSine(const SymbolSubject& s) { return MakeCurve(s, "M-18 0C-12 -20 -6 -20 0 0S12 20 18 0"); }
Symbol MakeStep(const SymbolSubject& s) { return MakeCurve(s, "M-16 10H0V-10H16"); }
Symbol MakeRamp(const SymbolSubject& s) { return MakeCurve(s, "M-17 10H-8L8 -10H17"); }
Symbol MakePulse(const SymbolSubject& s) { return MakeCurve(s, "M-18 9H-12V-9H-2V9H8V-9H18V9"); }
Symbol MakeTable(const SymbolSubject& s) { return MakeCurve(s, "M-17 10L-9 -6L-1 2L7 -10L17 -4"); }
Symbol MakeLimiter(const SymbolSubject& s) { return MakeCurve(s, "M-17 10H-9L9 -10H17", true); }
Symbol MakeDeadBand(const SymbolSubject& s) { return MakeCurve(s, "M-17 11L-6 0H6L17 -11", true); }
Symbol MakeRateLimiter(const SymbolSubject& s) { return MakeCurve(s, "M-16 10L-2 -9H16M-16 10V-9H-6"); }
Symbol MakeLowPass(const SymbolSubject& s) { return MakeCurve(s, "M-17 -13V11H17M-17 11C-10 -8 0 -9 17 -9"); }
Symbol MakeThreshold(const SymbolSubject& s) {
  return MakeCurve(s, "M-17 2H17M-17 9C-9 9 -8 -10 -3 -10S4 8 9 8 14 -4 17 -6");
}
Symbol MakeWaves(const SymbolSubject& s) {
  return MakeCurve(s, "M-18 -3Q-12 -13 -6 -3T6 -3T18 -3M-18 8Q-12 -2 -6 8T6 8T18 8");
}
Symbol MakeGain(const SymbolSubject& s) {
  Symbol symbol = MakeBlock(s, "");
  if (symbol.width > 48 || symbol.height > 48) return MakeBlock(s, "k");
  Pen pen;
  pen.Polygon({{-24, -20}, {24, 0}, {-24, 20}});
  symbol.shapes = pen.text();
  symbol.texts.push_back({-9, 0, "k", 12});
  return symbol;
}

Symbol MakeConstant(const SymbolSubject& s) { return MakeBlock(s, "const"); }
Symbol MakeExpression(const SymbolSubject& s) { return MakeBlock(s, "f(x)"); }
Symbol MakeIntegrator(const SymbolSubject& s) { return MakeBlock(s, "\u222b"); }
Symbol MakeMaximum(const SymbolSubject& s) { return MakeBlock(s, "max"); }
Symbol MakePid(const SymbolSubject& s) { return MakeBlock(s, "PID"); }
Symbol MakeProduct(const SymbolSubject& s) { return MakeBlock(s, "\u00d7"); }
Symbol MakeQuotient(const SymbolSubject& s) { return MakeBlock(s, "\u00f7"); }
Symbol MakeSum(const SymbolSubject& s) { return MakeBlock(s, "\u03a3"); }

/// States with transitions between them.
Symbol MakeChart(const SymbolSubject& s) {
  Pen icon;
  icon.Rect(-18, -13, 15, 10, "s", 3).Rect(3, 3, 15, 10, "s", 3).Path("M-3 -8H10V2").Path("M3 8H-10V-2");
  icon.Polygon({{10, 3}, {7, -2}, {13, -2}}, "k").Polygon({{-10, -3}, {-13, 2}, {-7, 2}}, "k");
  return MakeBlock(s, "", icon.text());
}

}  // namespace

std::span<const SymbolMaker> SignalSymbols() {
  static constexpr auto kAll = std::to_array<SymbolMaker>({
      {"signal.Sine", MakeSine},
      {"signal.Step", MakeStep},
      {"signal.Ramp", MakeRamp},
      {"signal.Pulse", MakePulse},
      {"signal.Table", MakeTable},
      {"signal.Limiter", MakeLimiter},
      {"signal.DeadBand", MakeDeadBand},
      {"signal.RateLimiter", MakeRateLimiter},
      {"signal.LowPass", MakeLowPass},
      {"signal.Threshold", MakeThreshold},
      {"signal.Jonswap", MakeWaves},
      {"signal.Gain", MakeGain},
      {"signal.Constant", MakeConstant},
      {"signal.Expression", MakeExpression},
      {"signal.Integrator", MakeIntegrator},
      {"signal.Maximum", MakeMaximum},
      {"signal.PID", MakePid},
      {"signal.Product", MakeProduct},
      {"signal.Quotient", MakeQuotient},
      {"signal.Sum", MakeSum},
      {"Statechart", MakeChart},
  });
  return kAll;
}

}  // namespace davit
