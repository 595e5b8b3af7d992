#include <array>

#include "drawing/symbols/pen.h"
#include "drawing/symbols/symbol_table.h"

namespace davit {
namespace {

Symbol MakeMechanical(const Pen& pen, double width = 64, double height = 32) {
  Symbol symbol = MakeBox(width, height, pen.text());
  symbol.AddAnchor("a", -width / 2, 0, Side::kLeft);
  symbol.AddAnchor("b", width / 2, 0, Side::kRight);
  return symbol;
}

/// One port at the left.
Symbol MakeAtPort(const Pen& pen, double width, double height) {
  Symbol symbol = MakeBox(width, height, pen.text());
  symbol.AddAnchor("port", -width / 2, 0, Side::kLeft);
  return symbol;
}

Symbol MakeMass(const SymbolSubject& subject) {
  Pen pen;
  if (subject.FindEnd("a") != nullptr) pen.Line(-32, 0, -24, 0, "m");
  if (subject.FindEnd("b") != nullptr) pen.Line(24, 0, 32, 0, "m");
  pen.Rect(-24, -24, 48, 48, "g", 2);
  Symbol symbol = MakeMechanical(pen, 64, 48);
  symbol.texts = {{0, 0, "m", 15}};
  return symbol;
}

Symbol MakeSpring(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(-32, 0, -22, 0).Spring(-22, 0, 22, 0, 18, 4).Line(22, 0, 32, 0);
  return MakeMechanical(pen);
}

void DrawDashpot(Pen& pen, double y) {
  pen.Polyline({{16, y - 10}, {-8, y - 10}, {-8, y + 10}, {16, y + 10}});
  pen.Line(-32, y, -8, y).Line(4, y - 7, 4, y + 7).Line(4, y, 32, y);
}

Symbol MakeDamper(const SymbolSubject& /*subject*/) {
  Pen pen;
  DrawDashpot(pen, 0);
  return MakeMechanical(pen);
}

Symbol MakeMassSpringDamper(const SymbolSubject& subject) {
  Symbol symbol = MakeBox(96, 64, {}, {{30, 0, "m", 14}});
  symbol.signal_gap = 8;
  Pen pen;
  pen.Line(-40, -24, -40, 24);
  for (const double y : {-20.0, -10.0, 0.0, 10.0, 20.0}) pen.Line(-40, y, -46, y + 6, "t");
  pen.Spring(-40, -12, 16, -12, 14, 4);
  pen.Polyline({{0, 4}, {-18, 4}, {-18, 20}, {0, 20}})
      .Line(-40, 12, -18, 12)
      .Line(-9, 6, -9, 18)
      .Line(-9, 12, 16, 12);
  pen.Rect(16, -24, 28, 48, "g", 2);
  symbol.shapes = pen.text();
  AddInputsAtLeft(subject, symbol, -48);
  return symbol;
}

Symbol MakeFixed(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(-24, 0, 0, 0, "m").Line(0, -20, 0, 20);
  for (const double y : {-20.0, -10.0, 0.0, 10.0}) pen.Line(0, y + 8, 8, y, "t");
  return MakeAtPort(pen, 48, 48);
}

Symbol MakeDrive(const SymbolSubject& subject, const Pen& pen, const SymbolText& letter, double begin) {
  Symbol symbol = MakeBox(48, 32, pen.text(), {letter});
  symbol.AddAnchor("port", 24, 0, Side::kRight);
  AddInputsAtLeft(subject, symbol, begin);
  return symbol;
}

Symbol MakeForce(const SymbolSubject& subject) {
  Pen pen;
  pen.Arrow(-20, 0, 24, 0, 12);
  return MakeDrive(subject, pen, {-8, -9, "F", 12}, -20);
}

Symbol MakeVelocitySource(const SymbolSubject& subject) {
  Pen pen;
  pen.Circle(0, 0, 16).Line(16, 0, 24, 0, "m").Arrow(-9, 5, 9, 5);
  return MakeDrive(subject, pen, {0, -4, "v", 12}, -16);
}

Symbol MakeTorque(const SymbolSubject& subject) {
  Pen pen;
  pen.Path("M-12 8A14 14 0 1 1 10 10")
      .Polygon({{7, 15}, {6, 6}, {14, 9}}, "k")
      .Line(14, -2.5, 24, -2.5)
      .Line(14, 2.5, 24, 2.5);
  return MakeDrive(subject, pen, {0, 0, "T", 12}, -14);
}

/// Sliding on a rough plane.
Symbol MakeFriction(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(-32, 0, -14, 0).Rect(-14, -10, 28, 14).Line(-24, 6, 24, 6).Line(24, 6, 32, 0);
  for (const double x : {-20.0, -10.0, 0.0, 10.0, 20.0}) pen.Line(x, 6, x - 5, 12, "t");
  return MakeMechanical(pen);
}

Symbol MakeRigidLink(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(-32, 0, 32, 0).Rect(-22, -3, 44, 6).Circle(-22, 0, 5).Circle(22, 0, 5);
  return MakeMechanical(pen);
}

Symbol MakeMotionSensor(const SymbolSubject& subject, const char* letter) {
  Pen pen;
  pen.Circle(0, 0, 16).Line(-24, 0, -16, 0, "m");
  Symbol symbol = MakeAtPort(pen, 48, 32);
  symbol.texts = {{0, 0, letter, 12}};
  for (const SymbolEnd& end : subject.ends) {
    if (end.is_output) symbol.AddAnchor(end.name, 24, 0, Side::kRight);
  }
  return symbol;
}

Symbol MakePositionSensor(const SymbolSubject& subject) { return MakeMotionSensor(subject, "x"); }
Symbol MakeSpeedSensor(const SymbolSubject& subject) { return MakeMotionSensor(subject, "\u03c9"); }

Symbol MakeInertia(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(-32, -2.5, 32, -2.5).Line(-32, 2.5, 32, 2.5).Rect(-9, -24, 18, 48, "g", 2);
  Symbol symbol = MakeMechanical(pen, 64, 48);
  symbol.texts = {{0, 0, "J", 13}};
  return symbol;
}

Symbol MakeGear(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(-32, -2.5, -10, -2.5).Line(-32, 2.5, -10, 2.5).Line(10, -2.5, 32, -2.5).Line(10, 2.5, 32, 2.5);
  pen.Rect(-10, -8, 10, 16, "g").Rect(0, -24, 10, 48, "g");
  return MakeMechanical(pen, 64, 48);
}

Symbol MakeBrake(const SymbolSubject& subject) {
  Pen pen;
  pen.Line(-24, -2.5, -4, -2.5).Line(-24, 2.5, -4, 2.5).Rect(-4, -16, 6, 32, "g");
  pen.Rect(-8, -24, 14, 6, "k")
      .Rect(-8, 18, 14, 6, "k")
      .Spring(10, -21, 22, -21, 7, 3)
      .Spring(10, 21, 22, 21, 7, 3);
  Symbol symbol = MakeAtPort(pen, 48, 48);
  for (const SymbolEnd& end : subject.ends) {
    if (!end.is_port && !end.is_output) symbol.AddAnchor(end.name, 0, -24, Side::kTop);
  }
  return symbol;
}

/// Two discs that face each other.
Symbol MakeClutch(const SymbolSubject& subject) {
  Pen pen;
  pen.Line(-32, -2.5, -6, -2.5).Line(-32, 2.5, -6, 2.5).Line(6, -2.5, 32, -2.5).Line(6, 2.5, 32, 2.5);
  pen.Rect(-6, -18, 4, 36, "g").Rect(2, -18, 4, 36, "g");
  Symbol symbol = MakeMechanical(pen, 64, 48);
  for (const SymbolEnd& end : subject.ends) {
    if (!end.is_port && !end.is_output) symbol.AddAnchor(end.name, 0, -24, Side::kTop);
  }
  return symbol;
}

Symbol MakeBelt(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Circle(-18, 4, 8, "g").Circle(16, 0, 14, "g").Line(-19, -4, 14, -14).Line(-19, 12, 14, 14);
  pen.Line(-32, 4, -18, 4).Line(16, 0, 32, 0);
  return MakeMechanical(pen, 64, 48);
}

Symbol MakePlanetaryGear(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Circle(0, 0, 24, "g").Circle(0, 0, 8).Circle(0, -16, 7).Circle(-14, 8, 7).Circle(14, 8, 7);
  pen.Line(-32, 0, -8, 0).Line(0, -24, 0, -32).Line(16, 8, 32, 0);
  Symbol symbol = MakeBox(64, 64, pen.text());
  symbol.AddAnchor("sun", -32, 0, Side::kLeft);
  symbol.AddAnchor("ring", 0, -32, Side::kTop);
  symbol.AddAnchor("carrier", 32, 0, Side::kRight);
  return symbol;
}

/// A toothed bar under a wheel.
Symbol MakeRackAndPinion(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Rect(-24, 12, 40, 8, "g").Line(-32, 16, -24, 16);
  for (int x = -22; x <= 14; x += 6) pen.Line(x, 12, x, 9);
  pen.Circle(0, 0, 10, "g").Line(10, -2.5, 32, -2.5).Line(10, 2.5, 32, 2.5);
  Symbol symbol = MakeBox(64, 48, pen.text());
  symbol.AddAnchor("rack", -32, 16, Side::kLeft);
  symbol.AddAnchor("shaft", 32, 0, Side::kRight);
  return symbol;
}

/// A source with a shaft.
Symbol MakeDieselEngine(const SymbolSubject& subject) {
  Pen pen;
  pen.Rect(-24, -24, 40, 48).Line(16, -2.5, 32, -2.5).Line(16, 2.5, 32, 2.5);
  Symbol symbol = MakeBox(64, 64, pen.text(), {{-4, 0, "M", 18}});
  symbol.AddAnchor("shaft", 32, 0, Side::kRight);
  AddInputsAtLeft(subject, symbol, -24);
  return symbol;
}

Symbol MakeShaft(const SymbolSubject& /*subject*/) {
  Pen pen;
  pen.Line(-32, -2.5, -20, -2.5).Line(-32, 2.5, -20, 2.5).Line(20, -2.5, 32, -2.5).Line(20, 2.5, 32, 2.5);
  pen.Line(-20, -9, -20, 9).Line(20, -9, 20, 9).Spring(-20, 0, 20, 0, 14, 4);
  return MakeMechanical(pen);
}

Symbol MakeSliderCrank(const SymbolSubject& subject) {
  Pen icon;
  icon.Circle(-10, 4, 6).Line(-10, 4, -5, -8).Line(-5, -8, 12, 4).Rect(8, 0, 9, 8).Line(2, 9, 22, 9, "t");
  return MakeBlock(subject, "", icon.text());
}

Symbol MakeCrane(const SymbolSubject& subject) {
  Symbol symbol = MakeBox(128, 160);
  Pen pen;
  pen.Rect(-64, -80, 128, 160, "b", 4);
  pen.Line(-56, 64, 56, 64, "t").Polygon({{-40, 64}, {-36, 8}, {-24, 8}, {-20, 64}}, "g");
  pen.Polyline({{-30, 6}, {20, -48}, {52, -20}}, "w3").Circle(-30, 6, 4).Circle(20, -48, 3.5);
  pen.Line(-24, 40, -4, -22, "m")
      .Line(0, -27, 33, -37, "m")
      .Line(52, -20, 52, 26, "t")
      .Rect(45, 26, 14, 12, "g");
  symbol.shapes = pen.text();
  struct Place {
    const char* port;
    double y, text_x;
  };
  constexpr std::array<Place, 3> kPlaces{{{"boom", 0, -46}, {"knuckle", -48, -42}, {"slew", 48, -48}}};
  for (const Place& place : kPlaces) {
    if (subject.FindEnd(place.port) == nullptr) continue;
    symbol.AddAnchor(place.port, -64, place.y, Side::kLeft);
    symbol.texts.push_back({place.text_x, place.y - 6, place.port, 7.5});
  }
  return symbol;
}

}  // namespace

std::span<const SymbolMaker> MechanicalSymbols() {
  static constexpr auto kAll = std::to_array<SymbolMaker>({
      {"mechanical.Mass", MakeMass},
      {"mechanical.Spring", MakeSpring},
      {"mechanical.SpringC", MakeSpring},
      {"mechanical.Damper", MakeDamper},
      {"mechanical.DamperC", MakeDamper},
      {"mechanical.MassSpringDamper", MakeMassSpringDamper},
      {"mechanical.Fixed", MakeFixed},
      {"mechanical.Force", MakeForce},
      {"mechanical.VelocitySource", MakeVelocitySource},
      {"mechanical.Torque", MakeTorque},
      {"mechanical.LuGreFriction", MakeFriction},
      {"mechanical.RigidLink", MakeRigidLink},
      {"mechanical.PositionSensor", MakePositionSensor},
      {"mechanical.SpeedSensor", MakeSpeedSensor},
      {"mechanical.Inertia", MakeInertia},
      {"mechanical.Gear", MakeGear},
      {"mechanical.PlanetaryGear", MakePlanetaryGear},
      {"mechanical.RackAndPinion", MakeRackAndPinion},
      {"mechanical.Belt", MakeBelt},
      {"mechanical.Brake", MakeBrake},
      {"mechanical.Clutch", MakeClutch},
      {"mechanical.DieselEngine", MakeDieselEngine},
      {"mechanical.Shaft", MakeShaft},
      {"mechanical.ShaftC", MakeShaft},
      {"mechanical.SliderCrank", MakeSliderCrank},
      {"mechanism.Crane", MakeCrane},
  });
  return kAll;
}

}  // namespace davit
