#include <string>
#include <tuple>
#include <vector>

#include "tests/hopsan/circuits/same_circuit.h"
#include "tests/hopsan/hmf_text.h"

namespace davit {

void AddPressureValves(SameCircuits* circuits) {
  const auto hopsan_valve = [](const std::string& type, const std::string& name, const std::string& p_ref,
                               const std::string& k_cs, const std::string& q_nom) {
    return HmfComponent(
        type, name,
        {{"p_ref#Value", p_ref}, {"p_h#Value", "0"}, {"k_cs", k_cs}, {"k_cf", "1e3"}, {"q_nom", q_nom}});
  };
  // Hopsan has no flow divider: two metering orifices, and two valves that the pressures behind them move,
  // from open to shut over twice the control range; K of an open one is twice that of its orifice.
  for (const auto& [name, load_a, load_b] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"flow_divider_a_high", "2", "12"}, {"flow_divider_b_high", "6", "4"}}) {
    circuits->push_back(
        {name,
         HopsanFlow("6e-4") + HopsanVolume("inlet") + HopsanOrifice("meter_a", "10") +
             HopsanOrifice("meter_b", "20") + HopsanVolume("metered_a") + HopsanVolume("metered_b") +
             hopsan_valve("HydraulicPressureControlledValve", "valve_a", "-1e5", "8.49924e-9",
                          "1.699848e-3") +
             hopsan_valve("HydraulicPressureControlledValve", "valve_b", "-1e5", "1.699848e-8",
                          "3.399696e-3") +
             HopsanVolume("side_a") + HopsanVolume("side_b") + HopsanOrifice("load_a", load_a) +
             HopsanOrifice("load_b", load_b) + HopsanTank("tank_a") + HopsanTank("tank_b"),
         HmfConnect("source.P1", "inlet.P1") + HmfConnect("inlet.P1", "meter_a.P1") +
             HmfConnect("inlet.P1", "meter_b.P1") + HmfConnect("metered_a.P1", "meter_a.P2") +
             HmfConnect("metered_b.P1", "meter_b.P2") + HmfConnect("metered_a.P1", "valve_a.P1") +
             HmfConnect("metered_b.P1", "valve_b.P1") + HmfConnect("metered_a.P1", "valve_a.P_OPEN") +
             HmfConnect("metered_b.P1", "valve_a.P_CLOSE") + HmfConnect("metered_b.P1", "valve_b.P_OPEN") +
             HmfConnect("metered_a.P1", "valve_b.P_CLOSE") + HmfConnect("side_a.P1", "valve_a.P2") +
             HmfConnect("side_b.P1", "valve_b.P2") + HmfConnect("side_a.P1", "load_a.P1") +
             HmfConnect("side_b.P1", "load_b.P1") + HmfConnect("load_a.P2", "tank_a.P1") +
             HmfConnect("load_b.P2", "tank_b.P1"),
         DavitFlow("6e-4") + DavitVolume("inlet") + DavitVolume("side_a") + DavitVolume("side_b") +
             R"(<hydraulic.FlowDivider name="divider" share="0.333333333" nominal_flow="6.8145e-4 m3/s"
                  nominal_pressure_drop="5 bar" control_range="1 bar"/>)" +
             DavitOrifice("load_a", load_a) + DavitOrifice("load_b", load_b) + DavitTank() +
             Join("source.port", "inlet.port") + Join("inlet.port", "divider.in") +
             Join("divider.a", "side_a.port") + Join("divider.b", "side_b.port") +
             Join("side_a.port", "load_a.a") + Join("side_b.port", "load_b.a") +
             Join("load_a.b", "tank.port") + Join("load_b.b", "tank.port"),
         {{"load_a#P2#Flow", "divider.q_a"},
          {"load_b#P2#Flow", "divider.q_b"},
          {"meter_a#P1#Pressure", "inlet.p"},
          {"load_a#P1#Pressure", "side_a.p"}}});
  }
  // Three ways: the compensator lets the surplus go, 10 to 12.5 bar above the load.
  for (const char* area : {"3", "8"}) {
    circuits->push_back(
        {std::string("three_way_flow_control_") + area,
         HopsanFlow("1e-3") + HopsanVolume("inlet", "0.002") + HopsanOrifice("meter", "10") +
             HopsanVolume("volume", "0.002") + HopsanOrifice("load", area) + HopsanTank("tank") +
             HopsanTank("other") +
             hopsan_valve("HydraulicPressureControlledValve", "valve", "10e5", "4e-9", "1e-3"),
         HmfConnect("source.P1", "inlet.P1") + HmfConnect("inlet.P1", "meter.P1") +
             HmfConnect("inlet.P1", "valve.P1") + HmfConnect("inlet.P1", "valve.P_OPEN") +
             HmfConnect("volume.P1", "meter.P2") + HmfConnect("volume.P1", "valve.P_CLOSE") +
             HmfConnect("volume.P1", "load.P1") + HmfConnect("load.P2", "tank.P1") +
             HmfConnect("valve.P2", "other.P1"),
         DavitFlow("1e-3") + DavitVolume("inlet") +
             R"(<hydraulic.FlowControlValve name="valve" flow="3.212399e-4 m3/s" control_pressure="10 bar"
                  opening_range="2.5 bar" nominal_flow="1e-3 m3/s" nominal_pressure_drop="70 bar"/>)" +
             DavitLoad(area) + Join("source.port", "inlet.port") + Join("inlet.port", "valve.in") +
             Join("valve.out", "volume.port") + Join("valve.bypass", "tank.port"),
         {{"load#P2#Flow", "valve.q"},
          {"valve#P2#Flow", "valve.q_bypass"},
          {"valve#P1#Pressure", "inlet.p"}}});
  }
  // No pressure behind it shuts the one of Hopsan; 20 bar of the pilot are 100 bar of the load.
  circuits->push_back(
      {"over_centre_valve",
       HopsanFlow("5e-4") + HopsanVolume("inlet") + HopsanSource("pilot", "20") + HopsanTank("tank") +
           HmfComponent("HydraulicOverCenterValve", "valve",
                        {{"p_ref#Value", "250e5"},
                         {"p_h#Value", "0"},
                         {"a_ratio#Value", "5"},
                         {"k_cs", "2e-10"},
                         {"k_cf", "1e3"},
                         {"q_nom", "1e-3"}}),
       HmfConnect("source.P1", "inlet.P1") + HmfConnect("inlet.P1", "valve.P1") +
           HmfConnect("pilot.P1", "valve.P_CONTROL") + HmfConnect("valve.P2", "tank.P1"),
       DavitFlow("5e-4") + DavitVolume("inlet") + DavitSource("pilot", "20") + DavitTank() +
           R"(<hydraulic.CounterbalanceValve name="valve" opening_law="ForceBalance" set_pressure="250 bar"
                pilot_ratio="5" back_pressure_share="0" balance_range="50 bar" pilot_frequency="5 Hz"
                nominal_flow="1e-3 m3/s" nominal_pressure_drop="70 bar"/>)" +
           Join("source.port", "inlet.port") + Join("inlet.port", "valve.c") +
           Join("pilot.port", "valve.pilot") + Join("valve.a", "tank.port"),
       {{"valve#P1#Pressure", "inlet.p"}}});
  // The pressure behind it holds it shut; pi d/10 1 mm = 9.42 mm2, 50 bar against pi/4 d^2 50e5/1e-3 =
  // 3534291 N/m.
  circuits->push_back(
      {"counterbalance_valve",
       HopsanFlow("5e-4") + HopsanVolume("inlet") + HopsanSource("pilot", "20") +
           HmfComponent("HydraulicCounterBalanceValveG", "valve",
                        {{"pref#Value", "150e5"},
                         {"kappa#Value", "3"},
                         {"Dv#Value", "0.03"},
                         {"frac#Value", "0.1"},
                         {"Xvmax#Value", "1e-3"},
                         {"Bv#Value", "1e4"},
                         {"phi#Value", "1.570796327"},
                         {"ks#Value", "3534292"},
                         {"p0#Value", "1e4"}}) +
           HopsanLoad("10", "0.002"),
       HmfConnect("source.P1", "inlet.P1") + HmfConnect("inlet.P1", "valve.P1") +
           HmfConnect("pilot.P1", "valve.P3") + HmfConnect("valve.P2", "volume.P1") + HopsanLoadJoined(),
       DavitFlow("5e-4") + DavitVolume("inlet") + DavitSource("pilot", "20") +
           R"(<hydraulic.CounterbalanceValve name="valve" opening_law="ForceBalance" set_pressure="150 bar"
                pilot_ratio="3" back_pressure_share="1" balance_range="50 bar" pilot_frequency="5 Hz"
                nominal_flow="3.027611e-4 m3/s" nominal_pressure_drop="10 bar"/>)" +
           DavitLoad("10") + Join("source.port", "inlet.port") + Join("inlet.port", "valve.c") +
           Join("pilot.port", "valve.pilot") + Join("valve.a", "volume.port"),
       {{"valve#P1#Pressure", "inlet.p"}, {"valve#P2#Pressure", "volume.p"}}});
  circuits->push_back(
      {"pressure_drop_valve",
       HopsanFlow("5e-4") + HopsanVolume("inlet") +
           hopsan_valve("HydraulicPressureDropValve", "valve", "20e5", "2e-10", "1e-3") +
           HopsanLoad("8", "0.005"),
       HmfConnect("source.P1", "inlet.P1") + HmfConnect("inlet.P1", "valve.P1") +
           HmfConnect("valve.P2", "volume.P1") + HopsanLoadJoined(),
       DavitFlow("5e-4") + DavitVolume("inlet") +
           R"(<hydraulic.CheckValve name="valve" cracking_pressure="20 bar" opening_range="50 bar"
                nominal_flow="1e-3 m3/s" nominal_pressure_drop="70 bar"/>)" +
           DavitLoad("8") + Join("source.port", "inlet.port") + Join("inlet.port", "valve.a") +
           Join("valve.b", "volume.port"),
       {{"valve#P1#Pressure", "inlet.p"}, {"valve#P2#Pressure", "volume.p"}}});
  // A pressure at P4 above pref opens P1. 50 bar over the travel of 1 mm: pi/4 d^2 50e5/1e-3 = 392699 N/m; at
  // 90 degrees there are no flow forces.
  for (const bool is_relieving : {false, true}) {
    const std::string flow = is_relieving ? "1e-3" : "-1e-3";  // into the outlet
    circuits->push_back(
        {is_relieving ? "relieving_valve" : "reducing_valve_of_three_ways",
         HopsanSource("supply", "200") + HopsanFlow(flow) + HopsanVolume("outlet") + HopsanTank("tank") +
             HmfComponent("HydraulicPressureControlValve33", "valve",
                          {{"pref#Value", "100e5"},
                           {"Bv#Value", "1e3"},
                           {"Xvmin#Value", "-1e-3"},
                           {"Xvmax#Value", "1e-3"},
                           {"phi#Value", "1.570796327"},
                           {"ks#Value", "392699"}}),
         HmfConnect("supply.P1", "valve.P2") + HmfConnect("valve.P1", "tank.P1") +
             HmfConnect("outlet.P1", "valve.P3") + HmfConnect("outlet.P1", "valve.P4") +
             HmfConnect("source.P1", "outlet.P1"),
         DavitSource("supply", "200") + DavitFlow(flow) + DavitVolume("outlet") + DavitTank() +
             R"(<hydraulic.PressureReducingValve name="valve" set_pressure="100 bar" opening_range="50 bar"
                  overlap="0 bar" nominal_flow="1.009204e-3 m3/s" nominal_pressure_drop="10 bar"/>)" +
             Join("supply.port", "valve.in") + Join("valve.tank", "tank.port") +
             Join("valve.out", "outlet.port") + Join("source.port", "outlet.port"),
         {{"valve#P3#Pressure", "outlet.p"}}});
  }
  // The poppet of 10 mm in a bore of 14.142 mm opens by 1 mm against 157080 N/m, which are 10 bar.
  circuits->push_back(
      {"logic_element",
       HopsanFlow("4e-4") + HopsanVolume("inlet") + HopsanSource("pilot", "30") +
           HmfComponent("Hydraulic22PoppetValve", "valve",
                        {{"d_1#Value", "0.01"},
                         {"d_2#Value", "0.01414214"},
                         {"k#Value", "157080"},
                         {"F_0#Value", "31.416"},
                         {"x_vmax", "1e-3"},
                         {"d_d", "1e-3"}}) +
           HopsanLoad("10", "0.02"),
       HmfConnect("source.P1", "inlet.P1") + HmfConnect("inlet.P1", "valve.PN") +
           HmfConnect("pilot.P1", "valve.PC") + HmfConnect("valve.PS", "volume.P1") + HopsanLoadJoined(),
       DavitFlow("4e-4") + DavitVolume("inlet") + DavitSource("pilot", "30") +
           R"(<hydraulic.LogicElement name="valve" area_ratio="0.5" spring_pressure="2 bar"
                opening_range="10 bar" nominal_flow="1.009204e-3 m3/s" nominal_pressure_drop="10 bar"/>)" +
           DavitLoad("10") + Join("source.port", "inlet.port") + Join("inlet.port", "valve.a") +
           Join("pilot.port", "valve.x") + Join("valve.b", "volume.port"),
       {{"valve#PN#Pressure", "inlet.p"}, {"valve#PS#Pressure", "volume.p"}}});
  // Of a closed circuit: the port of the lower pressure goes to the outlet.
  circuits->push_back({"flushing_shuttle",
                       HopsanSource("source", "200") + HopsanSource("other", "20") +
                           HmfComponent("Hydraulic33ShuttleValve", "valve",
                                        {{"x_pa#Value", "0"}, {"x_at#Value", "0"}, {"x_vmax", "1e-3"}}) +
                           HopsanLoad("10"),
                       HmfConnect("source.P1", "valve.PP") + HmfConnect("other.P1", "valve.PT") +
                           HmfConnect("valve.PA", "volume.P1") + HopsanLoadJoined(),
                       DavitSource("source", "200") + DavitSource("other", "20") +
                           R"(<hydraulic.Shuttle name="valve" selects="lower" nominal_flow="1.009204e-3 m3/s"
                nominal_pressure_drop="10 bar"/>)" +
                           DavitLoad("10") + Join("source.port", "valve.a") + Join("other.port", "valve.b") +
                           Join("valve.out", "volume.port"),
                       {{"load#P2#Flow", "load.q"}, {"volume#P1#Pressure", "volume.p"}}});
  circuits->push_back(
      {"piloted_valve",
       HopsanSource("source", "100") + HopsanSource("pilot", "12") +
           HmfComponent("HydraulicPressureControlled22Valve", "valve",
                        {{"Fs_min#Value", "10e5"}, {"Fs_max#Value", "15e5"}, {"x_vmax#Value", "1e-3"}}) +
           HopsanLoad("10", "0.01"),
       HmfConnect("source.P1", "valve.PP") + HmfConnect("pilot.P1", "valve.PC") +
           HmfConnect("valve.PA", "volume.P1") + HopsanLoadJoined(),
       DavitSource("source", "100") + DavitSource("pilot", "12") +
           R"(<hydraulic.ReliefValve name="valve" set_pressure="10 bar" opening_range="5 bar"
                density="870 kg/m3" discharge_coefficient="0.67" seat_diameter="6.324555 mm"/>)" +
           DavitLoad("10") + Join("source.port", "valve.in") + Join("pilot.port", "valve.pilot") +
           Join("valve.out", "volume.port"),
       {{"load#P2#Flow", "load.q"}, {"volume#P1#Pressure", "volume.p"}}});
  // Hopsan has no filter: its element is a laminar and a turbulent resistance in series; half of it clogged,
  // they are 2 and 4 times those of the clean one.
  circuits->push_back(
      {"filter",
       HopsanFlow("1e-3") + HopsanVolume("inlet") +
           HmfComponent("HydraulicLaminarOrifice", "mat", {{"Kc#Value", "1e-8"}}) + HopsanVolume("middle") +
           HopsanOrifice("housing", "100") + HopsanLoad("60", "0.01"),
       HmfConnect("source.P1", "inlet.P1") + HmfConnect("inlet.P1", "mat.P1") +
           HmfConnect("middle.P1", "mat.P2") + HmfConnect("middle.P1", "housing.P1") +
           HmfConnect("housing.P2", "volume.P1") + HopsanLoadJoined(),
       DavitFlow("1e-3") + DavitVolume("inlet") +
           R"(<hydraulic.Filter name="filter" clogging="0.5" nominal_flow="1e-3 m3/s" bypass_pressure="10 bar"
                nominal_pressure_drop="74225.89 Pa" laminar_share="0.6736194"/>)" +
           DavitLoad("60") + Join("source.port", "inlet.port") + Join("inlet.port", "filter.a") +
           Join("filter.b", "volume.port"),
       {{"mat#P1#Pressure", "inlet.p"}}});
}
}  // namespace davit
