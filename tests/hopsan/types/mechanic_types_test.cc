#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hopsan/types/electrics.h"
#include "hopsan/types/masses.h"
#include "hopsan/types/motion_sources.h"
#include "hopsan/types/sensors.h"
#include "hopsan/types/springs.h"
#include "tests/hopsan/types/type_bench.h"

namespace davit::hopsan {
namespace {

// Free flight: a constant force gives v = F t/m, x = F t^2/(2 m). The start counts as rest under the force.
TEST(HopsanMasses, FliesFreely) {
  TypeBench<MechanicTranslationalMass> mass;
  MechanicNode& left = mass.Body("P1");
  const MechanicNode& right = mass.Body("P2");
  left.c = left.F = 500;
  mass.Set("B", 0);
  mass.Initialize();
  EXPECT_EQ(left.me, 100);
  mass.Step(1000);
  EXPECT_NEAR(right.v, 5, 1e-9);
  EXPECT_NEAR(right.x, 2.5, 0.01);  // the first step starts at rest: T v
  EXPECT_EQ(left.v, -right.v);
  EXPECT_EQ(left.x, -right.x);
  EXPECT_EQ(left.F, 500);
}

TEST(HopsanMasses, OscillatesOnItsSpring) {
  TypeBench<MechanicTranslationalMass> mass;
  mass.Body("P1");
  MechanicNode& right = mass.Body("P2");
  right.x = 0.1;
  mass.Set("B", 0).Set("k", 100 * 4 * std::numbers::pi * std::numbers::pi);  // 1 Hz
  mass.Initialize();
  mass.Step(500);
  EXPECT_NEAR(right.x, -0.1, 1e-4);
  mass.Step(500);
  EXPECT_NEAR(right.x, 0.1, 1e-4);
}

TEST(HopsanMasses, RestsAtItsStopAndLeavesIt) {
  TypeBench<MechanicTranslationalMass> mass;
  MechanicNode& left = mass.Body("P1");
  const MechanicNode& right = mass.Body("P2");
  left.c = left.F = 500;
  mass.Set("x_max", 0.5);
  mass.Initialize();
  mass.Step(2000);
  EXPECT_EQ(right.x, 0.5);
  EXPECT_EQ(right.v, 0);
  left.c = -500;
  mass.Step(300);
  EXPECT_LT(right.x, 0.5);
}

TEST(HopsanMasses, InertiaSettlesAtTorqueByFriction) {
  TypeBench<MechanicRotationalInertia> inertia;
  RotationalNode& left = inertia.Shaft("P1");
  const RotationalNode& right = inertia.Shaft("P2");
  left.c = left.T = 20;
  inertia.Initialize();
  inertia.Step(1000);
  EXPECT_NEAR(right.w, 2, 1e-9);
  EXPECT_EQ(left.a, -right.a);
  TypeBench<MechanicRotationalInertiaWithGearRatio> geared;
  RotationalNode& fast = geared.Shaft("P1");
  const RotationalNode& slow = geared.Shaft("P2");
  fast.c = fast.T = 5;
  geared.Set("omega", 4);
  geared.Initialize();
  geared.Step(5000);
  EXPECT_NEAR(slow.w, 2, 1e-9);
  EXPECT_NEAR(fast.w, -8, 1e-9);
}

TEST(HopsanMasses, DryFrictionHoldsUntilItBreaks) {
  TypeBench<MechanicTranslationalMassWithCoulombFriction> mass;
  MechanicNode& left = mass.Body("P1");
  const MechanicNode& right = mass.Body("P2");
  left.c = left.F = 49;
  mass.Set("b", 0);
  mass.Initialize();
  mass.Step(100);
  EXPECT_EQ(right.x, 0);
  left.c = 95;
  mass.Step(1001);
  EXPECT_NEAR(right.v, 0.5, 2e-3);  // (95 - 45)/100, one step later
  left.c = 0;
  mass.Step(2000);
  EXPECT_EQ(right.v, 0);
}

// A spring stores the way of its ends: c = k integral(v).
TEST(HopsanSprings, PushByTheirDeflection) {
  TypeBench<MechanicTranslationalSpring> spring;
  MechanicNode& left = spring.Body("P1");
  const MechanicNode& right = spring.Body("P2");
  left.F = 3;
  const_cast<MechanicNode&>(right).F = 3;
  spring.Initialize();
  EXPECT_EQ(left.c, 3);  // the preload
  left.v = 0.01;
  spring.Step(100);
  left.v = 0;
  spring.Step(2);
  EXPECT_NEAR((left.c + right.c) / 2, 3 + 100 * 0.001, 1e-9);
  TypeBench<MechanicTorsionalSpring> torsion;
  RotationalNode& in = torsion.Shaft("P1");
  const RotationalNode& out = torsion.Shaft("P2");
  torsion.Initialize();
  in.w = 0.1;
  torsion.Step(100);
  in.w = 0;
  torsion.Step(2);
  EXPECT_NEAR((in.c + out.c) / 2, 100 * 0.01, 1e-9);
}

TEST(HopsanSprings, TubeHasTheStiffnessOfItsSection) {
  TypeBench<MechanicRotShaftG> tube;
  const RotationalNode& end = tube.Shaft("Pmr1");
  tube.Shaft("Pmr2");
  tube.Set("alpha", 0);
  tube.Initialize();
  EXPECT_NEAR(end.Zc, std::numbers::pi / 32 * std::pow(0.02, 4) * 7.93e10 / 0.1 * 1e-3, 1e-5 * end.Zc);
}

TEST(HopsanSprings, GearShaftTransformsTorque) {
  TypeBench<MechanicGearShaft> gear;
  RotationalNode& in = gear.Shaft("Pmr1");
  const RotationalNode& out = gear.Shaft("Pmr2");
  gear.Set("gearRatio", 3);
  gear.Initialize();
  in.w = 0.3;
  gear.Step(1000);
  in.w = 0;
  gear.Step(1000);
  // w1/g winds the shaft; the step more makes it softer, Ks/(2 - alpha).
  EXPECT_NEAR(out.c, 1000 * 0.3 / 3 / 1.1, 1e-6);
  EXPECT_NEAR(in.c, out.c / 3, 1e-6);
}

TEST(HopsanSprings, SpeedControllerIsAPid) {
  TypeBench<MechanicMotor> motor;
  const RotationalNode& shaft = motor.Shaft("P1");
  motor.Set("omega_ref", 2).Set("K_d", 0);
  motor.Initialize();
  motor.Step(1000);
  EXPECT_NEAR(shaft.c, 10 * 2 + 100 * 2 * 0.9995, 1e-9);
}

TEST(HopsanMotionSources, IntegrateTheirSpeed) {
  TypeBench<MechanicVelocityTransformer> source;
  MechanicNode& node = source.Body("Pm1");
  node.c = 7;
  node.Zc = 2;
  source.Set("v", 0.5).Set("x", 0.1);
  source.Initialize();
  source.Step(1000);
  EXPECT_NEAR(node.x, 0.6, 1e-12);
  EXPECT_EQ(node.F, 8);
  EXPECT_EQ(node.me, 10);
  TypeBench<MechanicThetaSource> angle;
  const RotationalNode& shaft = angle.Shaft("Pmr1");
  angle.Set("omega", 3);
  angle.Initialize();
  angle.Step(1000);
  EXPECT_NEAR(shaft.a, 3, 1e-12);
  EXPECT_EQ(shaft.w, 3);
}

TEST(HopsanMotionSources, WallTakesTheForceAndLetsGo) {
  TypeBench<MechanicFreeLengthWall> wall;
  MechanicNode& node = wall.Body("Pm1");
  node.c = 50;
  node.Zc = 10;
  wall.Initialize();
  wall.Step(10);
  EXPECT_EQ(node.F, 50);
  EXPECT_EQ(node.x, 0);
  node.c = -50;
  wall.Step(10);
  EXPECT_GT(node.x, 0);
  EXPECT_EQ(node.F, 0);
}

TEST(HopsanMotionSources, VehicleRollsAgainstItsFriction) {
  TypeBench<MechanicVehicle1D> car;
  RotationalNode& front = car.Shaft("Pmr1");
  car.Shaft("Pmr2");
  car.Set("CdA", 0);
  front.c = front.T = 500;
  car.Initialize();
  car.Step(1000);
  // m a = 500 - 9.82*0.02*1000; at the start the friction is not there yet.
  EXPECT_NEAR(car.Read("vc"), 0.5 - 0.1964, 2e-3);
  EXPECT_NEAR(car.Read("xc"), (0.5 - 0.1964) / 2, 2e-3);
  EXPECT_EQ(front.w, -car.Read("vc"));
  EXPECT_EQ(front.Je, 1000);
}

TEST(HopsanMotionSources, LinkTurnsWithItsLever) {
  TypeBench<MechanicJLink> link;
  MechanicNode& slider = link.Body("Pm1");
  const RotationalNode& shaft = link.Shaft("Pmr2");
  slider.c = slider.F = 10;
  link.Set("BL", 2);
  link.Initialize();
  EXPECT_EQ(slider.x, -0.1);
  EXPECT_DOUBLE_EQ(slider.me, 1 / (0.1 * 0.1));
  link.Step(100);
  EXPECT_GT(shaft.a, 0);
  // The slider moves with the lever.
  EXPECT_NEAR(slider.v, -0.1 * shaft.w * std::cos(shaft.a), 1e-15);
  EXPECT_NEAR(slider.x, -0.1 - 0.1 * std::sin(shaft.a), 1e-15);
}

// Pistons at rest on a swash plate without angle do nothing; with one, their torques add up to 0 over a turn.
TEST(HopsanCylinderBlock, EqualForcesGiveNoTorque) {
  TypeBench<MechanicCylinderBlockWithSwashPlate> block;
  for (int i = 0; i < 9; ++i) block.Body("P1");
  const RotationalNode& shaft = block.Shaft("P2");
  block.Set("angle", 0.2).Set("r", 0.05);
  block.Initialize();
  block.Step(50);
  EXPECT_NEAR(shaft.w, 0, 1e-12);
  EXPECT_NEAR(block.Read("torque"), 0, 1e-12);
}

TEST(HopsanElectrics, ResistorFollowsOhm) {
  TypeBench<ElectricResistor> resistor;
  ElectricNode& plus = resistor.Pole("Pel1");
  const ElectricNode& minus = resistor.Pole("Pel2");
  plus.c = 12;
  plus.Zc = 5;
  resistor.Initialize();
  resistor.Step();
  EXPECT_DOUBLE_EQ(minus.i, 12 / (10.0 + 5));
  EXPECT_DOUBLE_EQ(plus.u, 12 - 5 * minus.i);
}

// A charge i t raises the voltage of a capacitor by i t/C.
TEST(HopsanElectrics, CapacitorCharges) {
  TypeBench<ElectricCapacitance2> capacitor;
  ElectricNode& one = capacitor.Pole("Pel1");
  const ElectricNode& two = capacitor.Pole("Pel2");
  capacitor.Initialize();
  capacitor.Step();
  one.i = 0.01;
  capacitor.Step(100);
  one.i = 0;
  capacitor.Step(100);
  EXPECT_NEAR((one.c + two.c) / 2, 0.01 * 0.1 / 1e-4, 1e-6);
}

TEST(HopsanElectrics, BatteryEmptiesWithItsCharge) {
  TypeBench<ElectricBattery> battery(1);
  ElectricNode& pole = battery.Pole("Pel1");
  battery.SetStart("soc", 0.9);
  battery.Initialize();
  battery.Step(3600);  // nothing behind it but a voltage of 0: cond ubatt flows
  EXPECT_NEAR(battery.Read("soc"), 0.001, 1e-3);
  pole = {};
  pole.Zc = 1e9;
  battery.SetStart("soc", 0.5);
  battery.Initialize();
  battery.Step(3600);
  EXPECT_NEAR(battery.Read("soc"), 0.5, 1e-6);
  EXPECT_NEAR(pole.u, battery.Read("ubatt"), 1e-6);
}

TEST(HopsanElectrics, MotorSettlesWhereItsTorquesBalance) {
  TypeBench<ElectricMotorGear> motor;
  motor.Pole("Pel1").c = 12;
  const ElectricNode& minus = motor.Pole("Pel2");
  const RotationalNode& shaft = motor.Shaft("Pmr1");
  motor.Set("gearRatio", 2).Set("BL", 0.01);
  motor.Initialize();
  motor.Step(60000);
  const double w = shaft.w, i = minus.i;
  EXPECT_NEAR(i, (12 - 2 * 0.13 * w) / 0.04, 1e-9 * i);
  EXPECT_NEAR(2 * 0.13 * i, (0.01 + 4 * 0.0012) * w, 1e-6);
  EXPECT_NEAR(motor.Read("wm"), 2 * w, 1e-12);
  EXPECT_NEAR(motor.Read("Pin"), 12 * i, 1e-9);
}

TEST(HopsanElectrics, ConverterKeepsItsPower) {
  TypeBench<ElectricIcontroller> converter;
  ElectricNode& in = converter.Pole("Pel1");
  ElectricNode& out = converter.Pole("Pel2");
  in.c = in.u = 24;
  out.c = out.u = 12;
  converter.Set("iref", 2).Set("resist", 0);
  converter.Initialize();
  converter.Step(3000);
  EXPECT_NEAR(in.i, -2, 1e-6);
  EXPECT_NEAR(in.u * in.i + out.u * out.i, 0, 1e-6);
}

TEST(HopsanElectrics, GroundAndSourceBeginWithTheFirstStep) {
  TypeBench<ElectricUsource> source;
  ElectricNode& pole = source.Pole("Pel1");
  source.Initialize();
  EXPECT_EQ(pole.c, 0);
  source.Step();
  EXPECT_EQ(pole.c, 12);
}

// A force at the short end of a lever: m x2'' = F/w, x1 = -x2/w.
TEST(HopsanMasses, LeverReducesTheForce) {
  TypeBench<MechanicTranslationalMassWithLever> mass;
  MechanicNode& left = mass.Body("P1");
  const MechanicNode& right = mass.Body("P2");
  mass.Set("L_2", 3).Set("m", 10).Set("B", 0);  // w = 4
  mass.Initialize();
  left.c = 80;
  mass.Step(1000);
  EXPECT_NEAR(right.v, 80 / 4.0 / 10, 2e-3);  // the first step counts the force of the start, 0, by a half
  EXPECT_NEAR(left.v, -right.v / 4, 1e-15);
  EXPECT_NEAR(left.x, -right.x / 4, 1e-15);
  EXPECT_EQ(left.F, 80);
  EXPECT_EQ(left.me, 40);
}

// At rest below t_s; then w' = (T - t_k)/J, and it stops where the torque ends.
TEST(HopsanMasses, InertiaSticksAndSlides) {
  TypeBench<MechanicRotationalInertiaWithCoulombFriction> inertia;
  RotationalNode& left = inertia.Shaft("P1");
  const RotationalNode& right = inertia.Shaft("P2");
  inertia.Set("B", 0).Set("J", 2);
  inertia.Initialize();
  left.c = 49;
  inertia.Step(100);
  EXPECT_EQ(right.w, 0);
  left.c = 55;
  inertia.Step(1001);  // the step in which it begins to move does not count
  EXPECT_NEAR(right.w, (55 - 45) / 2.0, 0.03);
  EXPECT_EQ(left.w, -right.w);
  left.c = 0;
  inertia.Step(1000);
  EXPECT_EQ(right.w, 0);
}

// L i' = u: between sources of voltage the current rises by u t/L.
TEST(HopsanElectrics, InductorIntegratesTheVoltage) {
  TypeBench<ElectricInductance> inductor;
  ElectricNode &one = inductor.Pole("Pel1"), &two = inductor.Pole("Pel2");
  inductor.Initialize();
  one.c = 10;
  inductor.Step(1000);
  EXPECT_NEAR(two.i, 10 * 1 / 0.1, 0.1);  // the voltage of the start, 0, counts by half a step
  EXPECT_EQ(one.i, -two.i);
  EXPECT_EQ(one.u, 10);
}

TEST(HopsanElectrics, SwitchConductsAboveOneHalf) {
  TypeBench<ElectricSwitch> contact;
  ElectricNode &one = contact.Pole("Pel1"), &two = contact.Pole("Pel2");
  contact.Initialize();
  one.c = 12;
  one.Zc = 1;
  two.Zc = 2;
  contact.Step();
  EXPECT_EQ(two.i, 0);
  contact.Set("state", 1);
  contact.Step();
  EXPECT_EQ(two.i, 4);
  EXPECT_EQ(one.u, 8);
  EXPECT_EQ(two.u, 8);
}

// Without a load the motor turns so fast that its voltage is that of the source, but for its friction Bm:
// Ke i = Bm w, u = Ke w + Ra i.
TEST(HopsanElectrics, MotorRunsUpToItsVoltage) {
  TypeBench<ElectricMotor> motor;
  ElectricNode& one = motor.Pole("Pel1");
  motor.Pole("Pel2");
  const RotationalNode& shaft = motor.Shaft("Pmr1");
  motor.Initialize();
  one.c = 12;
  motor.Step(60000);
  EXPECT_NEAR(shaft.w, 12 / (0.13 + 0.04 * 0.0012 / 0.13), 1e-6);
}

}  // namespace
}  // namespace davit::hopsan
