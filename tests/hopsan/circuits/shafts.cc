#include <string>

#include "tests/hopsan/circuits/same_circuit.h"
#include "tests/hopsan/hmf_text.h"

namespace davit {

void AddShafts(SameCircuits* circuits) {
  // Both inertias turn at their speeds: at the input without friction, at the output with it.
  const auto hopsan_gear = [](const std::string& ratio, const std::string& viscous_friction) {
    return HopsanTorque("drive", "50") + HopsanTorque("brake", "60") +
           HmfComponent("MechanicGear", "gear",
                        {{"gearRatio#Value", ratio},
                         {"Jg#Value", "0.5"},
                         {"Bg#Value", viscous_friction},
                         {"myfric#Value", "0"}});
  };
  const std::string gear_joined = HmfConnect("drive.P1", "gear.Pmr1") + HmfConnect("gear.Pmr2", "brake.P1");
  const std::string davit_ends = DavitTorque("drive", "50") + DavitTorque("brake", "-60") +
                                 DavitInertia("fast", "0") + Join("drive.port", "fast.a") +
                                 Join("brake.port", "slow.a");
  const decltype(SameCircuit::values) of_gear{{"gear#Pmr1#AngularVelocity", "fast.w"},
                                              {"gear#Pmr2#AngularVelocity", "slow.w"}};
  circuits->push_back(
      {"gear",
       hopsan_gear("4", "2"),
       gear_joined,
       DavitTorque("drive", "50") + DavitTorque("brake", "-60") + DavitInertia("slow", "2") +
           R"(<mechanical.Gear name="gear" ratio="4" inertia="0.01 kg.m2" damping="1e4 N.m.s/rad"/>)" +
           Join("drive.port", "gear.a") + Join("gear.b", "slow.a") + Join("brake.port", "slow.a"),
       {{"gear#Pmr1#AngularVelocity", "gear.w"}, {"gear#Pmr2#AngularVelocity", "slow.w"}}});
  // Below the tension at which it slips.
  circuits->push_back(
      {"belt", hopsan_gear("2.5", "2"), gear_joined,
       davit_ends + DavitInertia("slow", "2") +
           R"(<mechanical.Belt name="belt" radius_a="100 mm" radius_b="250 mm" tension="2 kN"/>)" +
           Join("fast.b", "belt.a") + Join("belt.b", "slow.a"),
       of_gear});
  // With the ring held, 1 + 3 turns of the sun are one of the carrier.
  circuits->push_back({"planetary_gear_ring_held", hopsan_gear("4", "2"), gear_joined,
                       davit_ends + DavitInertia("slow", "2") +
                           R"(<mechanical.PlanetaryGear name="gear" ratio="3"/>)" +
                           Join("fast.b", "gear.sun") + Join("gear.carrier", "slow.a"),
                       of_gear});
  // With the carrier held, the ring turns backwards, 3 times as slowly.
  circuits->push_back({"planetary_gear_carrier_held",
                       HopsanTorque("drive", "50") + HopsanTorque("brake", "-60") +
                           HmfComponent("MechanicRotationalInertiaWithSingleGear", "gear",
                                        {{"omega#Value", "3"}, {"B#Value", "2"}, {"J", "0.5"}}),
                       HmfConnect("drive.P1", "gear.P1") + HmfConnect("gear.P2", "brake.P1"),
                       DavitTorque("drive", "50") + DavitTorque("brake", "60") + DavitInertia("fast", "0") +
                           DavitInertia("ring", "2") + DavitInertia("held", "0") +
                           R"(<mechanical.PlanetaryGear name="gear" ratio="3"/>
              <mechanical.Brake name="hold" torque="10 kN.m"/>)" +
                           Join("drive.port", "fast.a") + Join("fast.b", "gear.sun") +
                           Join("ring.b", "gear.ring") + Join("gear.carrier", "held.a") +
                           Join("hold.port", "held.b") + Join("brake.port", "ring.a"),
                       {{"gear#P1#AngularVelocity", "fast.w"}, {"gear#P2#AngularVelocity", "ring.w"}}});
  // All three turn. Hopsan has no planetary gear; motors of 1, 3 and 4 times a displacement between two lines
  // have its laws: the flows are the speeds, which add up to 0, and their common pressure is the torque.
  const auto hopsan_motor = [](const std::string& name, const std::string& displacement,
                               const std::string& viscous_friction) {
    return HmfComponent("HydraulicFixedDisplacementMotorQ", name,
                        {{"D_m#Value", displacement},
                         {"B_m#Value", viscous_friction},
                         {"C_lm#Value", "0"},
                         {"J_m#Value", "0.02"}});
  };
  for (const bool is_differential : {false, true}) {
    // A differential: ratio 1, the carrier drives.
    const std::string ring = is_differential ? "10e-6" : "30e-6",
                      carrier = is_differential ? "20e-6" : "40e-6",
                      driven = is_differential ? "carrier" : "sun";
    circuits->push_back(
        {is_differential ? "differential" : "planetary_gear",
         hopsan_motor("sun", "10e-6", is_differential ? "2" : "0.1") + hopsan_motor("ring", ring, "3") +
             hopsan_motor("carrier", carrier, is_differential ? "0.5" : "5") + HopsanVolume("line", "1e-3") +
             HopsanTank("tank_1") + HopsanTank("tank_2") + HopsanTank("tank_3") +
             HopsanTorque("drive", "100") + HopsanTorque("free_1", "0") + HopsanTorque("free_2", "0"),
         HmfConnect("line.P1", "sun.P1") + HmfConnect("line.P1", "ring.P1") +
             HmfConnect("line.P1", "carrier.P1") + HmfConnect("sun.P2", "tank_1.P1") +
             HmfConnect("ring.P2", "tank_2.P1") + HmfConnect("carrier.P2", "tank_3.P1") +
             HmfConnect(driven + ".P3", "drive.P1") +
             HmfConnect(is_differential ? "sun.P3" : "carrier.P3", "free_1.P1") +
             HmfConnect("ring.P3", "free_2.P1"),
         DavitTorque("drive", "100") + DavitInertia("sun_shaft", is_differential ? "2" : "0.1") +
             DavitInertia("ring_shaft", "3") + DavitInertia("carrier_shaft", is_differential ? "0.5" : "5") +
             R"(<mechanical.PlanetaryGear name="gear" ratio=")" + (is_differential ? "1" : "3") + R"("/>)" +
             Join("drive.port", driven + "_shaft.a") + Join("sun_shaft.b", "gear.sun") +
             Join("ring_shaft.b", "gear.ring") + Join("gear.carrier", "carrier_shaft.a"),
         {{"sun#P3#AngularVelocity", "sun_shaft.w"},
          {"ring#P3#AngularVelocity", "ring_shaft.w"},
          {"carrier#P3#AngularVelocity", "carrier_shaft.w"}}});
  }
  // A clutch that slips: 40 N.m of 150 N.m.
  circuits->push_back({"slipping_clutch",
                       HmfComponent("MechanicAngularVelocityTransformer", "drive", {{"omega#Value", "100"}}) +
                           HmfComponent("MechanicRotShaft", "shaft", {{"Ks#Value", "1e3"}}) +
                           HmfComponent("MechanicGearClutch", "clutch",
                                        {{"gearRatio#Value", "1"},
                                         {"tmax#Value", "40"},
                                         {"Jg#Value", "0.1"},
                                         {"Bg#Value", "1.5"},
                                         {"myfric#Value", "0"}}) +
                           HopsanTorque("brake", "0"),
                       HmfConnect("drive.out", "shaft.Pmr1") + HmfConnect("shaft.Pmr2", "clutch.Pmr1") +
                           HmfConnect("clutch.Pmr2", "brake.P1"),
                       DavitTorque("drive", "150") + DavitInertia("fast", "1") + DavitInertia("slow", "1.5") +
                           R"(<mechanical.Clutch name="clutch" torque="40 N.m"/>)" +
                           Join("drive.port", "fast.a") + Join("fast.b", "clutch.a") +
                           Join("clutch.b", "slow.a"),
                       {{"clutch#Pmr2#AngularVelocity", "slow.w"}}});
  // A belt that slips: wrap = pi - 2 asin(150/600), F_max = 2*300*tanh(0.5*wrap/2) = 346.64 N, times 100 mm.
  circuits->push_back(
      {"slipping_belt",
       HmfComponent("MechanicAngularVelocityTransformer", "drive", {{"omega#Value", "200"}}) +
           HmfComponent("MechanicRotShaft", "shaft", {{"Ks#Value", "1e3"}}) +
           HmfComponent("MechanicGearClutch", "clutch",
                        {{"gearRatio#Value", "2.5"},
                         {"tmax#Value", "34.664"},
                         {"Jg#Value", "0.1"},
                         {"Bg#Value", "2"},
                         {"myfric#Value", "0"}}) +
           HopsanTorque("brake", "0"),
       HmfConnect("drive.out", "shaft.Pmr1") + HmfConnect("shaft.Pmr2", "clutch.Pmr1") +
           HmfConnect("clutch.Pmr2", "brake.P1"),
       DavitTorque("drive", "50") + DavitInertia("fast", "0.05") + DavitInertia("slow", "2") +
           R"(<mechanical.Belt name="belt" radius_a="100 mm" radius_b="250 mm" distance="600 mm"
                tension="300 N" friction="0.5"/>)" +
           Join("drive.port", "fast.a") + Join("fast.b", "belt.a") + Join("belt.b", "slow.a"),
       {{"clutch#Pmr2#AngularVelocity", "slow.w"}}});
  circuits->push_back(
      {"viscous_inertia",
       HopsanTorque("drive", "50") + HopsanTorque("brake", "20") +
           HmfComponent("MechanicRotationalInertia", "body", {{"J", "0.1"}, {"B#Value", "0.4"}}),
       HmfConnect("drive.P1", "body.P1") + HmfConnect("body.P2", "brake.P1"),
       DavitTorque("drive", "50") + DavitTorque("brake", "20") + DavitInertia("body", "0.4") +
           Join("drive.port", "body.a") + Join("brake.port", "body.b"),
       {{"body#P2#AngularVelocity", "body.w"}}});
  circuits->push_back(
      {"sliding_mass",
       HmfComponent("MechanicForceTransformer", "push", {{"F#Value", "500"}}) +
           HmfComponent("MechanicForceTransformer", "load", {{"F#Value", "100"}}) +
           HmfComponent("MechanicTranslationalMassWithCoulombFriction", "body",
                        {{"m", "20"}, {"b#Value", "100"}, {"f_s#Value", "200"}, {"f_k#Value", "150"}}),
       HmfConnect("push.P1", "body.P1") + HmfConnect("body.P2", "load.P1"),
       R"(<mechanical.Force name="push" force="500 N"/><mechanical.Force name="load" force="100 N"/>
          <mechanical.Mass name="body" mass="20 kg" viscous_friction="100 N.s/m" static_friction="200 N"
            kinetic_friction="150 N"/>)" +
           Join("push.port", "body.a") + Join("load.port", "body.b"),
       {{"body#P2#Velocity", "body.v"}}});
  circuits->push_back(
      {"resistors",
       HmfComponent("ElectricUsource", "supply", {{"uin#Value", "24"}}) +
           HmfComponent("ElectricResistor", "first", {{"Conduct#Value", "0.1"}}) +
           HmfComponent("ElectricCapacitance2", "node", {{"Cc#Value", "1e-3"}}) +
           HmfComponent("ElectricResistor", "second", {{"Conduct#Value", "0.04"}}) +
           HmfComponent("ElectricGround", "ground"),
       HmfConnect("supply.Pel1", "first.Pel1") + HmfConnect("first.Pel2", "node.Pel1") +
           HmfConnect("node.Pel2", "second.Pel1") + HmfConnect("second.Pel2", "ground.Pel1"),
       R"(<electrical.VoltageSource name="supply" voltage="24 V"/><electrical.Ground name="ground"/>
          <electrical.Resistor name="first" resistance="10 ohm"/><electrical.Capacitor name="node"/>
          <electrical.Resistor name="second" resistance="25 ohm"/>)" +
           Join("supply.port", "first.a") + Join("first.b", "node.port") + Join("node.port", "second.a") +
           Join("second.b", "ground.port"),
       {{"node#Pel1#Voltage", "node.u"}, {"second#Pel2#Current", "second.i"}}});
  // At 24 V, with dry and viscous friction.
  circuits->push_back(
      {"dc_motor",
       HmfComponent("ElectricUsource", "supply", {{"uin#Value", "24"}}) +
           HmfComponent("ElectricGround", "ground") +
           HmfComponent("ElectricMotor", "motor",
                        {{"Ke#Value", "0.15"},
                         {"Ra#Value", "0.2"},
                         {"Tm0#Value", "0.5"},
                         {"Bm#Value", "0.01"},
                         {"Jm#Value", "0.01"}}) +
           HopsanTorque("brake", "6"),
       HmfConnect("supply.Pel1", "motor.Pel1") + HmfConnect("motor.Pel2", "ground.Pel1") +
           HmfConnect("motor.Pmr1", "brake.P1"),
       R"(<electrical.VoltageSource name="supply" voltage="24 V"/><electrical.Ground name="ground"/>
          <electrical.DcMotor name="motor" resistance="0.2 ohm" torque_constant="0.15 N.m/A"
            friction="ViscousAndDry" viscous_friction="0.01 N.m.s/rad" dry_friction="0.5 N.m"/>)" +
           DavitInertia("rotor", "0") + DavitTorque("brake", "-6") + Join("supply.port", "motor.a") +
           Join("motor.b", "ground.port") + Join("motor.shaft", "rotor.a") + Join("brake.port", "rotor.a"),
       {{"motor#Pmr1#AngularVelocity", "rotor.w"}, {"motor#Pel2#Current", "motor.i"}}});
}
}  // namespace davit
