#include <string>
#include <utility>
#include <vector>

#include "tests/hopsan/circuits/same_circuit.h"
#include "tests/hopsan/hmf_text.h"

namespace davit {

void AddSingleValves(SameCircuits* circuits) {
  const std::vector<std::pair<std::string, std::string>> flow_and_pressure{
      {"load#P2#Flow", "load.q"}, {"volume#P1#Pressure", "volume.p"}};
  // k_cs over q_nom is the opening a pressure; without flow forces (a large k_cf).
  for (const char* area : {"3", "8", "15"}) {
    circuits->push_back(
        {std::string("reducing_valve_") + area,
         HopsanSource("source", "200") +
             HmfComponent("HydraulicPressureReducingValve", "valve",
                          {{"p_ref#Value", "100e5"},
                           {"p_h#Value", "0"},
                           {"k_cs", "2e-9"},
                           {"k_cf", "1e3"},
                           {"q_nom", "1e-3"}}) +
             HopsanLoad(area),
         HmfConnect("source.P1", "valve.P1") + HmfConnect("valve.P2", "volume.P1") + HopsanLoadJoined(),
         DavitSource("source", "200") +
             R"(<hydraulic.PressureReducingValve name="valve" set_pressure="100 bar" opening_range="5 bar"
                  nominal_flow="1e-3 m3/s" nominal_pressure_drop="70 bar"/>)" +
             DavitLoad(area) +
             R"(<Connect from="source.port" to="valve.in"/><Connect from="valve.out" to="volume.port"/>)",
         flow_and_pressure});
  }
  for (const char* bar : {"9", "30"}) {
    circuits->push_back(
        {std::string("check_valve_") + bar,
         HopsanSource("source", bar) +
             HmfComponent("HydraulicCheckValvePreLoaded", "valve",
                          {{"K_s#Value", "2e-7"}, {"F_s#Value", "5e5"}}) +
             HopsanLoad("20"),
         HmfConnect("source.P1", "valve.P1") + HmfConnect("valve.P2", "volume.P1") + HopsanLoadJoined(),
         DavitSource("source", bar) +
             R"(<hydraulic.CheckValve name="valve" cracking_pressure="5 bar" opening_range="100 Pa"
                  nominal_flow="2e-4 m3/s" nominal_pressure_drop="1e6 Pa"/>)" +
             DavitLoad("20") +
             R"(<Connect from="source.port" to="valve.a"/><Connect from="valve.b" to="volume.port"/>)",
         flow_and_pressure});
  }
  // Held open by its pilot, it lets the oil back.
  circuits->push_back(
      {"pilot_check_valve",
       HopsanSource("source", "80") + HopsanSource("pilot", "60") +
           HmfComponent("HydraulicPilotControlledCheckValve", "valve", {{"K_s", "2e-7"}}) + HopsanLoad("20"),
       HmfConnect("source.P1", "valve.P2") + HmfConnect("valve.P1", "volume.P1") +
           HmfConnect("pilot.P1", "valve.P_PILOT") + HopsanLoadJoined(),
       DavitSource("source", "80") + DavitSource("pilot", "60") +
           R"(<hydraulic.CheckValve name="valve" pilot_ratio="3.5" cracking_pressure="1 bar"
                nominal_flow="2e-4 m3/s" nominal_pressure_drop="1e6 Pa"/>)" +
           DavitLoad("20") +
           R"(<Connect from="source.port" to="valve.b"/><Connect from="valve.a" to="volume.port"/>
              <Connect from="pilot.port" to="valve.pilot"/>)",
       flow_and_pressure});
  circuits->push_back(
      {"shuttle",
       HopsanSource("source", "50") + HopsanSource("other", "80") +
           HmfComponent("HydraulicShuttleValve", "valve") + HopsanLoad("2"),
       HmfConnect("source.P1", "valve.P1") + HmfConnect("other.P1", "valve.P2") +
           HmfConnect("valve.P3", "volume.P1") + HopsanLoadJoined(),
       DavitSource("source", "50") + DavitSource("other", "80") +
           R"(<hydraulic.Shuttle name="valve" nominal_flow="0.01 m3/s"/>)" + DavitLoad("2") +
           R"(<Connect from="source.port" to="valve.a"/><Connect from="other.port" to="valve.b"/>
              <Connect from="valve.out" to="volume.port"/>)",
       flow_and_pressure});
  // The relief valve keeps the pressure of a flow that the load does not take.
  for (const char* area : {"2", "5"}) {
    circuits->push_back(
        {std::string("relief_valve_") + area,
         HmfComponent("HydraulicFlowSourceQ", "source", {{"q#Value", "1e-3"}}) +
             HmfComponent("HydraulicVolumeMultiPort", "volume", {{"V", "0.1"}}) +
             HmfComponent("HydraulicTurbulentOrifice", "load", {{"A#Value", std::string(area) + "e-6"}}) +
             HmfComponent("HydraulicPressureReliefValve", "valve",
                          {{"p_max#Value", "100e5"},
                           {"p_h#Value", "0"},
                           {"k_cs", "2e-9"},
                           {"k_cf", "1e3"},
                           {"q_nom", "1e-3"}}) +
             HmfComponent("HydraulicTankC", "tank") + HmfComponent("HydraulicTankC", "other"),
         HmfConnect("source.P1", "volume.P1") + HmfConnect("volume.P1", "load.P1") +
             HmfConnect("volume.P1", "valve.P1") + HmfConnect("load.P2", "tank.P1") +
             HmfConnect("valve.P2", "other.P1"),
         // K of both is 1e-3/sqrt(70e5) = Cd A sqrt(2/rho).
         R"(<hydraulic.FlowSource name="source" flow="1e-3 m3/s"/>
            <hydraulic.ReliefValve name="valve" set_pressure="100 bar" opening_range="5 bar" density="870 kg/m3"
              discharge_coefficient="0.67" seat_diameter="3.870486 mm"/>)" +
             DavitLoad(area) +
             R"(<Connect from="source.port" to="volume.port"/><Connect from="volume.port" to="valve.in"/>
                <Connect from="valve.out" to="tank.port"/>)",
         {{"load#P2#Flow", "load.q"}, {"valve#P2#Flow", "valve.q"}, {"valve#P1#Pressure", "volume.p"}}});
  }
  // The compensator keeps 10 bar across the meter, whatever the load: 10 mm2 let 3.212e-4 m3/s pass.
  for (const char* area : {"3", "6"}) {
    circuits->push_back(
        {std::string("flow_control_valve_") + area,
         HopsanSource("source", "200") +
             HmfComponent("HydraulicPressureCompensatingValve", "valve",
                          {{"p_ref#Value", "10e5"},
                           {"p_h#Value", "0"},
                           {"k_cs", "1e-8"},
                           {"k_cf", "1e3"},
                           {"q_nom", "1e-3"}}) +
             HmfComponent("HydraulicVolumeMultiPort", "middle", {{"V", "0.005"}}) +
             HmfComponent("HydraulicTurbulentOrifice", "meter", {{"A#Value", "10e-6"}}) +
             HmfComponent("HydraulicVolumeMultiPort", "volume", {{"V", "0.005"}}) +
             HmfComponent("HydraulicTurbulentOrifice", "load", {{"A#Value", std::string(area) + "e-6"}}) +
             HmfComponent("HydraulicTankC", "tank"),
         HmfConnect("source.P1", "valve.P1") + HmfConnect("middle.P1", "valve.P2") +
             HmfConnect("middle.P1", "valve.P_OPEN") + HmfConnect("middle.P1", "meter.P1") +
             HmfConnect("volume.P1", "meter.P2") + HmfConnect("volume.P1", "valve.P_CLOSE") +
             HmfConnect("volume.P1", "load.P1") + HmfConnect("load.P2", "tank.P1"),
         DavitSource("source", "200") +
             R"(<hydraulic.FlowControlValve name="valve" flow="3.212399e-4 m3/s" control_pressure="10 bar"
                  opening_range="1 bar" nominal_flow="1e-3 m3/s" nominal_pressure_drop="70 bar"/>)" +
             DavitLoad(area) +
             R"(<Connect from="source.port" to="valve.in"/><Connect from="valve.out" to="volume.port"/>)",
         {{"load#P2#Flow", "load.q"}, {"load#P1#Pressure", "volume.p"}}});
  }
  // Free from 1 to 2; back through K = 5e-8, that of 1.55647 mm2.
  for (const bool is_free : {true, false}) {
    const std::string in = is_free ? "a" : "b", out = is_free ? "b" : "a";
    circuits->push_back(
        {is_free ? "throttle_check_free" : "throttle_check_throttled",
         HopsanSource("source", "30") +
             HmfComponent("HydraulicCheckValveWithOrifice", "valve",
                          {{"K_s#Value", "2e-7"}, {"K_r#Value", "5e-8"}}) +
             HopsanLoad("8"),
         HmfConnect("source.P1", is_free ? "valve.P1" : "valve.P2") +
             HmfConnect(is_free ? "valve.P2" : "valve.P1", "volume.P1") + HopsanLoadJoined(),
         DavitSource("source", "30") +
             R"(<hydraulic.CheckValve name="check" cracking_pressure="0 Pa" opening_range="100 Pa"
                  nominal_flow="1.5e-4 m3/s" nominal_pressure_drop="1e6 Pa"/>
                <hydraulic.Orifice name="throttle" area="1.55647 mm2" discharge_coefficient="0.67"
                  density="870 kg/m3"/>)" +
             DavitLoad("8") + R"(<Connect from="source.port" to="check.)" + in +
             R"("/><Connect from="source.port" to="throttle.)" + in + R"("/><Connect from="check.)" + out +
             R"(" to="volume.port"/><Connect from="throttle.)" + out + R"(" to="volume.port"/>)",
         {{"load#P2#Flow", "load.q"}, {"load#P1#Pressure", "volume.p"}}});
  }
  // Half open: Cq pi d x sqrt(2/rho) with x = 0.5 mm of 1 mm.
  circuits->push_back(
      {"valve_2_2",
       HopsanSource("source", "50") +
           HmfComponent("Hydraulic22Valve", "valve", {{"in#Value", "0.5e-3"}, {"x_vmax#Value", "1e-3"}}) +
           HopsanLoad("15"),
       HmfConnect("source.P1", "valve.PP") + HmfConnect("valve.PA", "volume.P1") + HopsanLoadJoined(),
       DavitSource("source", "50") +
           R"(<hydraulic.DirectionalValve22 name="valve" opening="0.5" nominal_flow="1.009204e-3 m3/s"
                nominal_pressure_drop="1e6 Pa"/>)" +
           DavitLoad("15") +
           R"(<Connect from="source.port" to="valve.a"/><Connect from="valve.b" to="volume.port"/>)",
       {{"load#P2#Flow", "load.q"}, {"load#P1#Pressure", "volume.p"}}});
  // The same valve of Hopsan puts a load in sequence, or unloads a pump; its spring chamber is drained.
  const std::string controlled = HmfComponent("HydraulicFlowSourceQ", "source", {{"q#Value", "5e-4"}}) +
                                 HmfComponent("HydraulicVolumeMultiPort", "inlet", {{"V", "0.005"}}) +
                                 HmfComponent("HydraulicPressureControlledValve", "valve",
                                              {{"p_ref#Value", "100e5"},
                                               {"p_h#Value", "0"},
                                               {"k_cs", "2e-9"},
                                               {"k_cf", "1e3"},
                                               {"q_nom", "1e-3"}}) +
                                 HopsanSource("drain", "0");
  const std::string controlled_joined = HmfConnect("source.P1", "inlet.P1") +
                                        HmfConnect("inlet.P1", "valve.P1") +
                                        HmfConnect("drain.P1", "valve.P_CLOSE");
  const std::string own_controlled =
      R"(<hydraulic.FlowSource name="source" flow="5e-4 m3/s"/><hydraulic.Volume name="inlet" volume="1 l"/>
         <hydraulic.ReliefValve name="valve" set_pressure="100 bar" opening_range="5 bar" density="870 kg/m3"
           discharge_coefficient="0.67" seat_diameter="3.870486 mm"/>
         <Connect from="source.port" to="inlet.port"/><Connect from="inlet.port" to="valve.in"/>)";
  circuits->push_back({"sequence_valve",
                       controlled + HopsanLoad("8", "0.02"),
                       controlled_joined + HmfConnect("inlet.P1", "valve.P_OPEN") +
                           HmfConnect("valve.P2", "volume.P1") + HopsanLoadJoined(),
                       own_controlled + DavitLoad("8") + R"(<Connect from="valve.out" to="volume.port"/>)",
                       {{"valve#P1#Pressure", "inlet.p"}, {"load#P1#Pressure", "volume.p"}}});
  circuits->push_back(
      {"unloading_valve",
       controlled + HopsanSource("pilot", "102") + HmfComponent("HydraulicTankC", "tank"),
       controlled_joined + HmfConnect("pilot.P1", "valve.P_OPEN") + HmfConnect("valve.P2", "tank.P1"),
       own_controlled + DavitSource("pilot", "102") + DavitTank() +
           R"(<Connect from="pilot.port" to="valve.pilot"/>
                             <Connect from="valve.out" to="tank.port"/>)",
       {{"valve#P1#Pressure", "inlet.p"}, {"valve#P2#Flow", "valve.q"}}});
  circuits->push_back(
      {"variable_motor",
       HopsanSource("source", "100") +
           HmfComponent("HydraulicVariableDisplacementMotorQ", "motor",
                        {{"D_m#Value", "50e-6"},
                         {"eps#Value", "0.6"},
                         {"C_im#Value", "1e-12"},
                         {"B_m#Value", "0.5"},
                         {"J_m#Value", "0.1"}}) +
           HmfComponent("HydraulicTankC", "tank") +
           HmfComponent("MechanicTorqueTransformer", "brake", {{"T#Value", "20"}}),
       HmfConnect("source.P1", "motor.P1") + HmfConnect("motor.P2", "tank.P1") +
           HmfConnect("motor.P3", "brake.P1"),
       DavitSource("source", "100") + DavitTank() +
           R"(<hydraulic.HydraulicMotor name="motor" displacement="50e-6 m3/rev" displacement_setting="0.6"
                leakage="1e-12 m3/s/Pa" viscous_friction="0.5 N.m.s/rad"/>
              <mechanical.Inertia name="shaft" inertia="0.1 kg.m2"/>
              <mechanical.Torque name="brake" torque="-20 N.m"/>
              <Connect from="source.port" to="motor.a"/><Connect from="motor.b" to="tank.port"/>
              <Connect from="motor.shaft" to="shaft.a"/><Connect from="brake.port" to="shaft.a"/>)",
       {{"motor#P3#AngularVelocity", "shaft.w"}, {"motor#P2#Flow", "motor.q"}}});
}

}  // namespace davit
