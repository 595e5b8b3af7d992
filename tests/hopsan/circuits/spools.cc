#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tests/hopsan/circuits/same_circuit.h"
#include "tests/hopsan/hmf_text.h"

namespace davit {
namespace {

/// A spool of 10 mm that opens 1 mm without overlap passes Cq pi d x sqrt(2/rho) = 1.009204e-6 m3/s/Pa^0.5.
std::string HopsanSpool(const std::string& type, const std::string& position,
                        std::initializer_list<const char*> overlaps = {},
                        const std::string& neutral_opening = "") {
  std::string spool = HmfComponent(type, "valve", {{"in#Value", position + "e-3"}, {"x_vmax#Value", "1e-3"}});
  const auto add = [&](const std::string& key, const std::string& value) {
    spool.insert(spool.find("</parameters>"),
                 "<parameter name='" + key + "#Value' value='" + value + "' type='double'/>");
  };
  for (const char* overlap : overlaps) add(overlap, "0");
  if (!neutral_opening.empty()) add("f_c", neutral_opening);
  return spool;
}
std::string DavitSpool(const std::string& position, const std::string& more) {
  return R"(<hydraulic.DirectionalControlValve name="valve" opening_law="Linear" deadband="0" spool=")" +
         position + R"(" nominal_flow="1.009204e-3 m3/s" nominal_pressure_drop="10 bar" )" + more + "/>";
}

}  // namespace

void AddSpools(SameCircuits* circuits) {
  // A and B with the load between them; the tank at T.
  const auto hopsan_ports = [](const std::string& load) {
    return HopsanFlow("1e-3") + HopsanVolume("inlet") + HopsanVolume("side_a") + HopsanVolume("side_b") +
           HopsanOrifice("load", load) + HopsanTank("tank");
  };
  const std::string hopsan_joined = HmfConnect("source.P1", "inlet.P1") + HmfConnect("inlet.P1", "valve.PP") +
                                    HmfConnect("side_a.P1", "valve.PA") + HmfConnect("side_a.P1", "load.P1") +
                                    HmfConnect("side_b.P1", "load.P2") + HmfConnect("side_b.P1", "valve.PB") +
                                    HmfConnect("valve.PT", "tank.P1");
  const auto davit_ports = [](const std::string& load) {
    return DavitFlow("1e-3") + DavitVolume("inlet") + DavitVolume("side_a") + DavitVolume("side_b") +
           DavitOrifice("load", load) + DavitTank() + Join("source.port", "inlet.port") +
           Join("inlet.port", "valve.p") + Join("side_a.port", "valve.a") + Join("side_a.port", "load.a") +
           Join("side_b.port", "load.b") + Join("side_b.port", "valve.b") + Join("valve.t", "tank.port");
  };
  const std::initializer_list<const char*> overlaps{"x_pa", "x_pb", "x_at", "x_bt"};
  // 6/3, open centre: a 4/3 valve and a way from C1 to C2 that shuts as the spool leaves neutral.
  const std::string davit_centre =
      R"x(<hydraulic.DirectionalValve22 name="centre" nominal_pressure_drop="10 bar"
        nominal_flow="1.009204e-3 m3/s"/><Connect from="inlet.port" to="centre.a"/>
      <Connect from="centre.b" to="tank.port"/>
      <signal.Expression name="centre_open"><Input name="u"/><Output name="y" expr="1 - abs(u)"/>
      </signal.Expression><signal.Constant name="lever" value=")x";
  const std::string davit_lever = R"("/><Route from="lever.y" to="valve.spool"/>
      <Route from="lever.y" to="centre_open.u"/><Route from="centre_open.y" to="centre.opening"/>)";
  const std::pair<std::string, std::string> at_inlet{"valve#PP#Pressure", "inlet.p"},
      through_load{"load#P2#Flow", "load.q"}, through_centre{"valve#PC2#Flow", "centre.q"};
  for (const auto& [name, position, values] :
       std::vector<std::tuple<std::string, std::string, decltype(SameCircuit::values)>>{
           {"neutral", "0", {at_inlet}},
           {"partly", "0.3", {at_inlet, through_centre, through_load}},
           {"full", "1", {at_inlet}}}) {
    circuits->push_back(
        {"open_centre_" + name,
         hopsan_ports("15") +
             HopsanSpool("HydraulicOpenCenterValve", position, {"x_pa", "x_pb", "x_at", "x_bt", "x_cc"}) +
             HopsanTank("other"),
         hopsan_joined + HmfConnect("inlet.P1", "valve.PC1") + HmfConnect("valve.PC2", "other.P1"),
         davit_ports("15") + DavitSpool("0", R"(spool_type="O" neutral_opening="0")") + davit_centre +
             position + davit_lever,
         values});
  }
  // The other 6/3 valve of Hopsan, to the other side.
  circuits->push_back({"open_centre_back",
                       hopsan_ports("15") + HopsanTank("other") +
                           HmfComponent("HydraulicValve63OC", "valve",
                                        {{"xv#Value", "-0.3e-3"},
                                         {"Sd#Value", "0.01"},
                                         {"Xvmax#Value", "1e-3"},
                                         {"Xoc0#Value", "1e-3"}}),
                       HmfConnect("source.P1", "inlet.P1") + HmfConnect("inlet.P1", "valve.Pp") +
                           HmfConnect("side_a.P1", "valve.Pa") + HmfConnect("side_a.P1", "load.P1") +
                           HmfConnect("side_b.P1", "load.P2") + HmfConnect("side_b.P1", "valve.Pb") +
                           HmfConnect("valve.Pt", "tank.P1") + HmfConnect("inlet.P1", "valve.Pocp") +
                           HmfConnect("valve.Poct", "other.P1"),
                       davit_ports("15") + DavitSpool("0", R"(spool_type="O" neutral_opening="0")") +
                           davit_centre + "-0.3" + davit_lever,
                       {{"valve#Pp#Pressure", "inlet.p"}, {"valve#Poct#Flow", "centre.q"}, through_load}});
  circuits->push_back({"valve_4_3",
                       hopsan_ports("15") + HopsanSpool("Hydraulic43Valve", "0.7", overlaps),
                       hopsan_joined,
                       davit_ports("15") + DavitSpool("0.7", R"(spool_type="O" neutral_opening="0")"),
                       {at_inlet, {"valve#PB#Pressure", "side_b.p"}}});
  // Neutral: P to T over half of the circumference.
  circuits->push_back(
      {"valve_4_3_p_to_t",
       hopsan_ports("15") + HopsanSpool("Hydraulic43ValveNeutralSupplyToTank", "0", overlaps, "0.5"),
       hopsan_joined,
       davit_ports("15") + DavitSpool("0", R"(spool_type="M" neutral_opening="0.5")"),
       {at_inlet}});
  // Neutral: A and B to T; the oil comes into A and leaves over both.
  circuits->push_back(
      {"valve_4_3_a_b_to_t",
       HopsanFlow("1e-3") + HopsanVolume("side_a") + HopsanVolume("side_b") + HopsanOrifice("load", "5") +
           HopsanTank("tank") + HopsanSpool("Hydraulic43ValveNeutralToTank", "0", overlaps, "0.5") +
           HopsanSource("supply", "100"),
       HmfConnect("source.P1", "side_a.P1") + HmfConnect("supply.P1", "valve.PP") +
           HmfConnect("side_a.P1", "valve.PA") + HmfConnect("side_a.P1", "load.P1") +
           HmfConnect("side_b.P1", "load.P2") + HmfConnect("side_b.P1", "valve.PB") +
           HmfConnect("valve.PT", "tank.P1"),
       DavitFlow("1e-3") + DavitVolume("side_a") + DavitVolume("side_b") + DavitOrifice("load", "5") +
           DavitTank() + DavitSource("supply", "100") +
           DavitSpool("0", R"(spool_type="Y" neutral_opening="0.5")") + Join("source.port", "side_a.port") +
           Join("supply.port", "valve.p") + Join("side_a.port", "valve.a") + Join("side_a.port", "load.a") +
           Join("side_b.port", "load.b") + Join("side_b.port", "valve.b") + Join("valve.t", "tank.port"),
       {{"valve#PA#Pressure", "side_a.p"}, through_load}});
  // 4/2, in the position without a signal: P to B and A to T.
  circuits->push_back({"valve_4_2",
                       hopsan_ports("15") + HopsanSpool("Hydraulic42DirectionalValve", "0"),
                       hopsan_joined,
                       davit_ports("15") + DavitSpool("0", R"(positions="2")"),
                       {at_inlet, {"valve#PA#Pressure", "side_a.p"}}});
  // 3/3 partly open to A, 3/2 with A to T.
  const std::string three_joined = HmfConnect("source.P1", "valve.PP") + HmfConnect("valve.PT", "other.P1") +
                                   HmfConnect("valve.PA", "volume.P1") + HopsanLoadJoined();
  const std::string davit_three = DavitLoad("15") + Join("source.port", "valve.p") +
                                  Join("volume.port", "valve.a") + Join("tank.port", "valve.t");
  circuits->push_back({"valve_3_3",
                       HopsanSource("source", "100") +
                           HopsanSpool("Hydraulic33Valve", "0.4", {"x_pa", "x_at"}) + HopsanLoad("15") +
                           HopsanTank("other"),
                       three_joined,
                       DavitSource("source", "100") +
                           DavitSpool("0.4", R"(ports="3" spool_type="O" neutral_opening="0")") + davit_three,
                       {{"load#P2#Flow", "load.q"}, {"load#P1#Pressure", "volume.p"}}});
  for (const bool is_on : {true, false}) {
    // Without a signal A is joined to T, so the source is there.
    const std::string in = is_on ? "valve.PP" : "valve.PT", out = is_on ? "valve.PT" : "valve.PP";
    circuits->push_back(
        {is_on ? "valve_3_2_on" : "valve_3_2_off",
         HopsanSource("source", "100") +
             HmfComponent("Hydraulic32DirectionalValve", "valve",
                          {{"in#Value", is_on ? "1" : "0"}, {"x_vmax#Value", "1e-3"}}) +
             HopsanLoad("15") + HopsanTank("other"),
         HmfConnect("source.P1", in) + HmfConnect(out, "other.P1") + HmfConnect("valve.PA", "volume.P1") +
             HopsanLoadJoined(),
         DavitSource("source", "100") + DavitSpool(is_on ? "1" : "0", R"(ports="3" positions="2")") +
             DavitLoad("15") + Join("source.port", is_on ? "valve.p" : "valve.t") +
             Join("volume.port", "valve.a") + Join("tank.port", is_on ? "valve.t" : "valve.p"),
         {{"load#P2#Flow", "load.q"}, {"load#P1#Pressure", "volume.p"}}});
  }
  // A compensator before the edges, open without flow and shut at 20 bar; 20 bar do not suffice for it.
  for (const char* bar : {"200", "20"}) {
    circuits->push_back(
        {std::string("compensated_valve_") + bar,
         HopsanSource("source", bar) + HopsanVolume("inlet") + HopsanVolume("side_a") +
             HopsanVolume("side_b") + HopsanOrifice("load", "4") + HopsanTank("tank") +
             HmfComponent("HydraulicPressureCompensatingValve", "compensator",
                          {{"p_ref#Value", "0"},
                           {"p_h#Value", "0"},
                           {"k_cs", "5e-10"},
                           {"k_cf", "1e3"},
                           {"q_nom", "1e-3"}}) +
             HopsanSpool("Hydraulic43Valve", "0.4", overlaps),
         HmfConnect("source.P1", "compensator.P1") + HmfConnect("inlet.P1", "compensator.P2") +
             HmfConnect("inlet.P1", "compensator.P_OPEN") + HmfConnect("side_a.P1", "compensator.P_CLOSE") +
             HmfConnect("inlet.P1", "valve.PP") + HmfConnect("side_a.P1", "valve.PA") +
             HmfConnect("side_a.P1", "load.P1") + HmfConnect("side_b.P1", "load.P2") +
             HmfConnect("side_b.P1", "valve.PB") + HmfConnect("valve.PT", "tank.P1"),
         DavitSource("source", bar) + DavitVolume("side_a") + DavitVolume("side_b") +
             DavitOrifice("load", "4") + DavitTank() +
             DavitSpool("0.4", R"(spool_type="O" neutral_opening="0" compensator="On"
             compensator_pressure="20 bar" compensator_nominal_flow="1e-3 m3/s"
             compensator_nominal_pressure_drop="70 bar" inner_volume="1 l")") +
             Join("source.port", "valve.p") + Join("side_a.port", "valve.a") + Join("side_a.port", "load.a") +
             Join("side_b.port", "load.b") + Join("side_b.port", "valve.b") + Join("valve.t", "tank.port"),
         {through_load, {"valve#PP#Pressure", "valve.p_inner"}, {"valve#PA#Pressure", "side_a.p"}}});
  }
}
}  // namespace davit
