#include <string>

#include "tests/hopsan/circuits/same_circuit.h"
#include "tests/hopsan/hmf_text.h"

namespace davit {

void AddAir(SameCircuits* circuits) {
  // C = A Cd psi/(rho0 sqrt(T0)) with psi = 0.0404156 of air and b = (2/(k+1))^(k/(k-1)) = 0.528329.
  const auto hopsan_air = [](const std::string& name, const std::string& bar) {
    return HmfComponent("PneumaticPTsrc", name, {{"pinput#Value", bar + "e5"}, {"Tinput#Value", "293.15"}});
  };
  const auto hopsan_orifice = [](const std::string& name, const std::string& area) {
    return HmfComponent("PneumaticOrifice", name, {{"A0#Value", area + "e-6"}, {"Cd#Value", "0.65"}});
  };
  const auto davit_orifice = [](const std::string& name, const std::string& conductance) {
    return "<pneumatic.Orifice name=\"" + name + "\" sonic_conductance=\"" + conductance +
           " m3/s/Pa\" critical_pressure_ratio=\"0.528329\"/>";
  };
  for (const char* bar : {"1", "4.5", "6"}) {
    circuits->push_back(
        {"air_orifice_" + std::string(bar).substr(0, 1) + "_bar",
         hopsan_air("supply", "7") + hopsan_air("back", bar) + hopsan_orifice("orifice", "10"),
         HmfConnect("supply.Pp1", "orifice.Pp1") + HmfConnect("orifice.Pp2", "back.Pp1"),
         R"(<pneumatic.Supply name="supply" pressure="7 bar" temperature="293.15 K"/>
                            <pneumatic.Exhaust name="back" pressure=")" +
             std::string(bar) + R"( bar" temperature="293.15 K"/>)" +
             davit_orifice("orifice", "1.294791e-8") + Join("supply.port", "orifice.a") +
             Join("orifice.b", "back.port"),
         {{"orifice#Pp2#MassFlow", "orifice.G"}}});
  }
  // Through an adiabatic vessel, choked at its outlet; throttling keeps the temperature of the supply.
  circuits->push_back({"air_vessel",
                       hopsan_air("supply", "7") + hopsan_air("back", "1") + hopsan_orifice("inlet", "10") +
                           hopsan_orifice("outlet", "15") +
                           HmfComponent("PneumaticVolume2", "vessel", {{"V#Value", "1e-4"}}),
                       HmfConnect("supply.Pp1", "inlet.Pp1") + HmfConnect("inlet.Pp2", "vessel.Pp1") +
                           HmfConnect("vessel.Pp2", "outlet.Pp1") + HmfConnect("outlet.Pp2", "back.Pp1"),
                       R"(<pneumatic.Supply name="supply" pressure="7 bar" temperature="293.15 K"/>
          <pneumatic.Exhaust name="back" pressure="1 bar"/>
          <pneumatic.Chamber name="vessel" volume="0.1 l" heat="HeatExchange" heat_transfer="0 W/m2/K"/>)" +
                           davit_orifice("inlet", "1.294791e-8") + davit_orifice("outlet", "1.942186e-8") +
                           Join("supply.port", "inlet.a") + Join("inlet.b", "vessel.port") +
                           Join("vessel.port", "outlet.a") + Join("outlet.b", "back.port"),
                       {{"vessel#Pp1#Pressure", "vessel.p"},
                        {"outlet#Pp2#MassFlow", "outlet.G"},
                        {"vessel#Pp1#Temperature", "vessel.T"}}});
}
}  // namespace davit
