#include <string>

#include "tests/hopsan/circuits/same_circuit.h"
#include "tests/hopsan/hmf_text.h"

namespace davit {

void AddMachines(SameCircuits* circuits) {
  // From the tank into the load, with leakage.
  const std::string pump_joined =
      HmfConnect("suction.P1", "pump.P1") + HmfConnect("pump.P2", "volume.P1") + HopsanLoadJoined();
  const std::string davit_pump =
      DavitLoad("4") + Join("tank.port", "pump.in") + Join("pump.out", "volume.port");
  const decltype(SameCircuit::values) of_load{{"load#P2#Flow", "load.q"}, {"load#P1#Pressure", "volume.p"}};
  circuits->push_back(
      {"fixed_pump",
       HopsanTank("suction") + HopsanLoad("4", "0.01") +
           HmfComponent("HydraulicFixedDisplacementPump", "pump",
                        {{"n_p#Value", "50"}, {"D_p#Value", "50e-6"}, {"C_lp#Value", "5e-12"}}),
       pump_joined,
       R"(<hydraulic.FixedDisplacementPump name="pump" displacement="50e-6 m3/rev"
                            speed="50 rad/s" leakage="5e-12 m3/s/Pa"/>)" +
           davit_pump,
       of_load});
  circuits->push_back({"variable_pump",
                       HopsanTank("suction") + HopsanLoad("4", "0.01") +
                           HmfComponent("HydraulicVariableDisplacementPump", "pump",
                                        {{"eps#Value", "0.7"},
                                         {"omega_p#Value", "60"},
                                         {"D_p#Value", "50e-6"},
                                         {"K_cp#Value", "5e-12"}}),
                       pump_joined,
                       R"(<hydraulic.FixedDisplacementPump name="pump" displacement="50e-6 m3/rev"
                            displacement_setting="0.7" speed="60 rad/s" leakage="5e-12 m3/s/Pa"/>)" +
                           davit_pump,
                       of_load});
  // Hopsan: q = (p_ref - p)/r_p up to q_max. At an angle of 1 degree the tangent of davit is as linear:
  // 12.5 bar are r_p q_max, q_max/w/tan(1 degree) is 3.599634e-3 m3/rev. Without PREF p_ref is 1 bar above
  // p_dif.
  const auto hopsan_pump = [](const std::string& pressure) {
    return HmfComponent("HydraulicPressureControlledPump", "pump",
                        {{"p_dif#Value", pressure},
                         {"omega_p#Value", "125"},
                         {"q_max#Value", "1.25e-3"},
                         {"r_p#Value", "1e9"},
                         {"C_lp#Value", "0"}});
  };
  const std::string davit_axial = R"(<hydraulic.AxialPistonPump name="pump" displacement="3.599634e-3 m3/rev"
                                       speed="125 rad/s" swash_angle="1 deg" compensator_range="12.5 bar" )";
  for (const char* area : {"4", "20"}) {
    circuits->push_back({std::string("pressure_controlled_pump_") + area,
                         HopsanTank("suction") + HopsanLoad(area, "0.002") + hopsan_pump("199e5"),
                         pump_joined,
                         davit_axial + R"(control="Compensated" set_pressure="200 bar"/>)" + DavitLoad(area) +
                             Join("tank.port", "pump.in") + Join("pump.out", "volume.port"),
                         of_load});
  }
  // The metering orifice is between the pump and the load, whose pressure the pump gets.
  circuits->push_back(
      {"load_sensing_pump",
       HopsanTank("suction") + hopsan_pump("20e5") + HopsanVolume("outlet", "0.01") +
           HopsanOrifice("meter", "20") + HopsanVolume("volume", "0.01") + HopsanOrifice("load", "10") +
           HopsanTank("tank"),
       HmfConnect("suction.P1", "pump.P1") + HmfConnect("outlet.P1", "pump.P2") +
           HmfConnect("outlet.P1", "meter.P1") + HmfConnect("volume.P1", "meter.P2") +
           HmfConnect("volume.P1", "pump.PREF") + HmfConnect("volume.P1", "load.P1") +
           HmfConnect("load.P2", "tank.P1"),
       davit_axial + R"(control="LoadSensing" set_pressure="250 bar" load_sensing_margin="20 bar"/>)" +
           DavitVolume("outlet") + DavitOrifice("meter", "20") + DavitLoad("10") +
           Join("tank.port", "pump.in") + Join("pump.out", "outlet.port") + Join("outlet.port", "meter.a") +
           Join("meter.b", "volume.port") + R"(<Route from="volume.p" to="pump.load_pressure"/>)",
       {{"load#P2#Flow", "load.q"}, {"load#P1#Pressure", "volume.p"}, {"pump#P2#Pressure", "outlet.p"}}});
  // A motor that drags its viscous friction and a torque; the one that is its own volume.
  const std::string davit_motor = R"(<hydraulic.HydraulicMotor name="motor" displacement="50e-6 m3/rev"
                                       leakage="5e-12 m3/s/Pa" viscous_friction="0.5 N.m.s/rad" )";
  const std::string davit_driven = DavitTank() + DavitInertia("shaft", "0.1") + DavitTorque("brake", "-20") +
                                   Join("motor.b", "tank.port") + Join("motor.shaft", "shaft.a") +
                                   Join("brake.port", "shaft.a");
  circuits->push_back(
      {"fixed_motor",
       HopsanSource("source", "100") + HopsanTank("tank") + HopsanTorque("brake", "20") +
           HmfComponent(
               "HydraulicFixedDisplacementMotorQ", "motor",
               {{"D_m#Value", "50e-6"}, {"B_m#Value", "0.6"}, {"C_lm#Value", "5e-12"}, {"J_m#Value", "0.1"}}),
       HmfConnect("source.P1", "motor.P1") + HmfConnect("motor.P2", "tank.P1") +
           HmfConnect("motor.P3", "brake.P1"),
       DavitSource("source", "100") + davit_motor + "/>" + davit_driven + Join("source.port", "motor.a"),
       {{"motor#P3#AngularVelocity", "shaft.w"}, {"motor#P2#Flow", "motor.q"}}});
  circuits->push_back(
      {"machine_as_a_motor",
       HopsanFlow("4e-4") + HopsanOrifice("return", "8") + HopsanTank("tank") + HopsanTorque("brake", "20") +
           HmfComponent("HydraulicMachineC", "motor",
                        {{"eps#Value", "0.8"},
                         {"D_m#Value", "50e-6"},
                         {"C_lm#Value", "5e-12"},
                         {"B_m#Value", "0.5"},
                         {"J_em", "0.1"},
                         {"V_1#Value", "0.02"},
                         {"V_2#Value", "0.02"}}) +
           HmfComponent("MechanicRotationalInertia", "shaft", {{"J", "0.1"}, {"B#Value", "0.1"}}),
       HmfConnect("source.P1", "motor.P1") + HmfConnect("motor.P2", "return.P1") +
           HmfConnect("return.P2", "tank.P1") + HmfConnect("motor.P3", "shaft.P1") +
           HmfConnect("shaft.P2", "brake.P1"),
       DavitFlow("4e-4") + davit_motor + R"(displacement_setting="0.8"/>)" + DavitTank() +
           DavitVolume("side_a") + DavitVolume("side_b") + DavitOrifice("return", "8") +
           DavitInertia("shaft", "0.1") + DavitTorque("brake", "-20") + Join("source.port", "side_a.port") +
           Join("side_a.port", "motor.a") + Join("motor.b", "side_b.port") + Join("side_b.port", "return.a") +
           Join("return.b", "tank.port") + Join("motor.shaft", "shaft.a") + Join("brake.port", "shaft.a"),
       {{"shaft#P2#AngularVelocity", "shaft.w"}, {"motor#P1#Pressure", "side_a.p"}}});
  // Hopsan's pressures of the gas are absolute, so that davit's are 1 bar less.
  for (const bool is_isothermal : {true, false}) {
    circuits->push_back(
        {is_isothermal ? "accumulator_isothermal" : "accumulator_polytropic",
         HopsanSource("source", "200") +
             HmfComponent("HydraulicAckumulator", "accumulator",
                          {{"kappa#Value", is_isothermal ? "1" : "1.4"}, {"p0#Value", "100e5"}}),
         HmfConnect("source.P1", "accumulator.P1"),
         DavitSource("source", "199") + DavitOrifice("inlet", "20") +
             R"(<hydraulic.Accumulator name="accumulator" gas_volume="1 l" precharge_pressure="99 bar"
                  gas=")" +
             (is_isothermal ? "Isothermal" : "Polytropic") + R"("/>)" + Join("source.port", "inlet.a") +
             Join("inlet.b", "accumulator.port"),
         {{"accumulator#Va#Value", "accumulator.gas_volume_now"}}});
  }
  // A hose of 15 m at Re 1250 and at Re 9400: the pressure that a flow needs.
  for (const bool is_turbulent : {false, true}) {
    const std::string flow = is_turbulent ? "3e-3" : "4e-4", area = is_turbulent ? "200" : "20";
    for (const std::string model : {"Line", "Pipe"}) {
      const bool is_line = model == "Line";
      const std::string out = is_line ? "hose.b" : "hose.outlet";
      const std::string inlet = is_line ? Join("source.port", "hose.a")
                                        : DavitVolume("inlet") + Join("source.port", "inlet.port") +
                                              Join("inlet.port", "hose.inlet");
      circuits->push_back(
          {(is_turbulent ? "turbulent_" : "laminar_") + std::string(is_line ? "line" : "pipe"),
           HopsanFlow(flow) + HopsanTank("end") +
               HmfComponent("HydraulicHose", "hose",
                            {{"eta#Value", "0.02784"}, {"d#Value", "0.0127"}, {"l#Value", "15"}}) +
               HopsanOrifice("open", area),
           HmfConnect("source.P1", "hose.P1") + HmfConnect("hose.P2", "open.P1") +
               HmfConnect("open.P2", "end.P1"),
           DavitFlow(flow) + DavitTank() + DavitOrifice("open", area) + inlet + "<hydraulic." + model +
               R"( name="hose" inner_diameter="12.7 mm" length="15 m" density="870 kg/m3" bulk_modulus="1 GPa"
                     kinematic_viscosity="32 cSt" )" +
               (is_line ? "/>" : R"(level="Standard"/>)") + Join(out, "open.a") + Join("open.b", "tank.port"),
           {{"source#P1#Pressure", "source.p"}}});
    }
  }
  // A wide tube of the laminar conductance: K1 = 2 A D/(nu rho Kc).
  circuits->push_back(
      {"laminar_orifice",
       HopsanSource("source", "100") +
           HmfComponent("HydraulicLaminarOrifice", "tube", {{"Kc#Value", "2e-11"}}) + HopsanLoad("3", "0.01"),
       HmfConnect("source.P1", "tube.P1") + HmfConnect("tube.P2", "volume.P1") + HopsanLoadJoined(),
       DavitSource("source", "100") +
           R"(<hydraulic.Orifice name="tube" law="laminar_turbulent" area="1000 mm2" density="870 kg/m3"
                kinematic_viscosity="32 cSt" laminar_coefficient="1.281698e8"/>)" +
           DavitLoad("3") + Join("source.port", "tube.a") + Join("tube.b", "volume.port"),
       of_load});
  // A capillary of 1 mm and 500 mm, laminar, 64 L/D and 1/delta^2 of the inlet; an orifice, turbulent.
  circuits->push_back(
      {"capillary",
       HopsanSource("source", "100") +
           HmfComponent("HydraulicOrificeG", "tube",
                        {{"visc#Value", "0.02784"},
                         {"Ao#Value", "0.7853982e-6"},
                         {"dh#Value", "1e-3"},
                         {"lo#Value", "0.5"},
                         {"Cdt#Value", "1"},
                         {"del#Value", "0.2"},
                         {"sf#Value", "1"}}) +
           HopsanLoad("0.02", "0.001"),
       HmfConnect("source.P1", "tube.P1") + HmfConnect("tube.P2", "volume.P1") + HopsanLoadJoined(),
       DavitSource("source", "100") +
           R"(<hydraulic.Orifice name="tube" law="laminar_turbulent" area="0.7853982 mm2" density="870 kg/m3"
                kinematic_viscosity="32 cSt" laminar_coefficient="32025" discharge_coefficient="1"/>)" +
           DavitLoad("0.02") + Join("source.port", "tube.a") + Join("tube.b", "volume.port"),
       of_load});
}
}  // namespace davit
