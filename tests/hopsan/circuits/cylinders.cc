#include <string>
#include <utility>

#include "tests/hopsan/circuits/same_circuit.h"
#include "tests/hopsan/hmf_text.h"

namespace davit {

void AddCylinders(SameCircuits* circuits) {
  const std::string davit_cylinder =
      R"(<hydraulic.Cylinder name="cylinder" bore="50.462650 mm" rod="35.682482 mm" stroke="1 m")";
  const auto hopsan_cylinder = [](const std::string& viscous_friction, const std::string& x = "0") {
    return HmfComponent("HydraulicCylinderC", "cylinder",
                        {{"A_1#Value", "2e-3"},
                         {"A_2#Value", "1e-3"},
                         {"s_l#Value", "1"},
                         {"B_p#Value", viscous_friction},
                         {"P3#Position", "-" + x},
                         {"c_leak#Value", "0"}});
  };
  const auto hopsan_mass = [](const std::string& stiffness) {
    return HmfComponent("MechanicTranslationalMass", "mass",
                        {{"m", "100"}, {"B#Value", "2000"}, {"k#Value", stiffness}});
  };
  const std::string davit_mass =
      R"(<mechanical.Mass name="mass" mass="100 kg" viscous_friction="2000 N.s/m"/>
         <Connect from="cylinder.rod" to="mass.a"/>)";
  const auto davit_spring = [](const std::string& stiffness, const std::string& preload) {
    return R"(<mechanical.Fixed name="wall"/><mechanical.Spring name="spring" stiffness=")" + stiffness +
           R"( N/m" preload=")" + preload + R"( N"/>)" + Join("mass.b", "spring.a") +
           Join("spring.b", "wall.port");
  };
  // The rod side at the tank; a spring as the load.
  const std::string hopsan_single = HopsanSource("source", "60") + HopsanOrifice("throttle", "5") +
                                    HopsanOrifice("return", "20") + HopsanTank("tank");
  const std::string hopsan_single_joined =
      HmfConnect("source.P1", "throttle.P1") + HmfConnect("cylinder.P1", "throttle.P2") +
      HmfConnect("cylinder.P2", "return.P1") + HmfConnect("return.P2", "tank.P1") +
      HmfConnect("cylinder.P3", "mass.P1");
  const std::string davit_single = DavitSource("source", "60") + DavitOrifice("throttle", "5") + DavitTank() +
                                   DavitVolume("inlet") + davit_mass + Join("source.port", "throttle.a") +
                                   Join("throttle.b", "inlet.port") + Join("inlet.port", "cylinder.a") +
                                   Join("cylinder.b", "tank.port");
  const std::pair<std::string, std::string> position{"mass#P2#Position", "cylinder.x"};
  const std::string free = HmfComponent("MechanicForceTransformer", "force");
  circuits->push_back({"single_acting_cylinder",
                       hopsan_single + hopsan_cylinder("1000") + hopsan_mass("2e5") + free,
                       hopsan_single_joined + HmfConnect("mass.P2", "force.P1"),
                       davit_cylinder + R"( level="Standard" viscous_friction="1000 N.s/m"/>)" +
                           davit_single + davit_spring("2e5", "0"),
                       {position}});
  // The spring of 1 kN is in the cylinder of Hopsan.
  circuits->push_back({"spring_loaded_cylinder",
                       hopsan_single + hopsan_mass("2e5") + free +
                           HmfComponent("HydraulicSpringLoadedPistonC", "cylinder",
                                        {{"A_1#Value", "2e-3"},
                                         {"A_2#Value", "1e-3"},
                                         {"s_l#Value", "1"},
                                         {"F_s#Value", "5e3"},
                                         {"c_leak#Value", "0"}}),
                       hopsan_single_joined + HmfConnect("mass.P2", "force.P1"),
                       davit_cylinder + R"( level="Standard" viscous_friction="1000 N.s/m"/>)" +
                           davit_single + davit_spring("2e5", "5e3"),
                       {position}});
  // The piston that owns its motion, with a spring and both sides under pressure.
  circuits->push_back({"cylinder_against_a_spring",
                       HopsanSource("source", "60") + HopsanSource("other", "20") + free +
                           HmfComponent("HydraulicCylinderQ", "cylinder",
                                        {{"A_1#Value", "2e-3"},
                                         {"A_2#Value", "1e-3"},
                                         {"B_p#Value", "1000"},
                                         {"B_l#Value", "2000"},
                                         {"k_l#Value", "2e5"},
                                         {"m_l", "100"},
                                         {"s_l", "1"}}),
                       HmfConnect("source.P1", "cylinder.P1") + HmfConnect("other.P1", "cylinder.P2") +
                           HmfConnect("cylinder.P3", "force.P1"),
                       davit_cylinder + R"( level="Standard" viscous_friction="1000 N.s/m"/>)" +
                           DavitSource("source", "60") + DavitSource("other", "20") + davit_mass +
                           davit_spring("2e5", "0") + Join("source.port", "cylinder.a") +
                           Join("other.port", "cylinder.b"),
                       {{"cylinder#P3#Position", "cylinder.x"}}});
  // Out and in at a constant speed, against 8 kN; the oil leaves over an orifice.
  for (const bool is_out : {true, false}) {
    const std::string fed = is_out ? "cylinder.P1" : "cylinder.P2",
                      open = is_out ? "cylinder.P2" : "cylinder.P1", fed_own = is_out ? "a" : "b",
                      open_own = is_out ? "b" : "a", force = is_out ? "8e3" : "-8e3",
                      x = is_out ? "0" : "0.8";
    circuits->push_back(
        {is_out ? "cylinder_extends" : "cylinder_retracts",
         HopsanFlow(is_out ? "2e-4" : "1e-4") + HopsanOrifice("return", "4") + HopsanTank("tank") +
             hopsan_cylinder("5000", x) + hopsan_mass("0") +
             HmfComponent("MechanicForceTransformer", "force", {{"F#Value", force}}),
         HmfConnect("source.P1", fed) + HmfConnect(open, "return.P1") + HmfConnect("return.P2", "tank.P1") +
             HmfConnect("cylinder.P3", "mass.P1") + HmfConnect("mass.P2", "force.P1"),
         davit_cylinder + R"( friction="Viscous" viscous_friction="5000 N.s/m"><Start x=")" + x +
             R"( m"/></hydraulic.Cylinder>)" + DavitFlow(is_out ? "2e-4" : "1e-4") + DavitTank() +
             DavitVolume("side_a") + DavitVolume("side_b") + DavitOrifice("return", "4") + davit_mass +
             R"(<mechanical.Force name="force" force=")" + force + R"( N"/>)" + Join("mass.b", "force.port") +
             Join("side_a.port", "cylinder.a") + Join("side_b.port", "cylinder.b") +
             Join("source.port", "side_" + fed_own + ".port") +
             Join("side_" + open_own + ".port", "return.a") + Join("return.b", "tank.port"),
         {{"mass#P2#Velocity", "cylinder.v"},
          {"return#P1#Pressure", "cylinder.p_" + open_own},
          {"source#P1#Pressure", "cylinder.p_" + fed_own}}});
  }
  // The cylinder of davit that is a C component too.
  circuits->push_back(
      {"cylinder_with_waves",
       HopsanFlow("2e-4") + HopsanOrifice("return", "4") + HopsanTank("tank") + hopsan_cylinder("5000") +
           hopsan_mass("0") + HmfComponent("MechanicForceTransformer", "force", {{"F#Value", "8e3"}}),
       HmfConnect("source.P1", "cylinder.P1") + HmfConnect("cylinder.P2", "return.P1") +
           HmfConnect("return.P2", "tank.P1") + HmfConnect("cylinder.P3", "mass.P1") +
           HmfConnect("mass.P2", "force.P1"),
       R"(<hydraulic.CylinderC name="cylinder" bore="50.462650 mm" rod="35.682482 mm" stroke="1 m"
            viscous_friction="5000 N.s/m"/><mechanical.Force name="force" force="8e3 N"/>)" +
           DavitFlow("2e-4") + DavitTank() + DavitOrifice("return", "4") + davit_mass +
           Join("mass.b", "force.port") + Join("source.port", "cylinder.a") + Join("cylinder.b", "return.a") +
           Join("return.b", "tank.port"),
       {{"mass#P2#Velocity", "cylinder.v"},
        {"return#P1#Pressure", "cylinder.p_b"},
        {"source#P1#Pressure", "cylinder.p_a"}}});
}
}  // namespace davit
