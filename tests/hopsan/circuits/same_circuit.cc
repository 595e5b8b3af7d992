#include "tests/hopsan/circuits/same_circuit.h"

#include "tests/hopsan/hmf_text.h"

namespace davit {

void PrintTo(const SameCircuit& circuit, std::ostream* out) { *out << circuit.name; }

std::string DavitTank() { return R"(<hydraulic.Tank name="tank" back_pressure="1 bar"/>)"; }

std::string DavitSource(const std::string& name, const std::string& bar) {
  return "<hydraulic.PressureSource name=\"" + name + "\" pressure=\"" + bar + " bar\"/>";
}
std::string HopsanSource(const std::string& name, const std::string& bar) {
  return HmfComponent("HydraulicPressureSourceC", name, {{"p#Value", bar + "e5"}});
}

std::string DavitLoad(const std::string& area) {
  return R"(<hydraulic.Volume name="volume" volume="1 l"/>
    <hydraulic.Orifice name="load" area=")" +
         area + R"( mm2" discharge_coefficient="0.67" density="870 kg/m3"/>)" + DavitTank() +
         R"(<Connect from="volume.port" to="load.a"/><Connect from="load.b" to="tank.port"/>)";
}
std::string HopsanLoad(const std::string& area, const std::string& volume) {
  return HmfComponent("HydraulicVolume", "volume", {{"V", volume}}) +
         HmfComponent("HydraulicTurbulentOrifice", "load", {{"A#Value", area + "e-6"}}) +
         HmfComponent("HydraulicTankC", "tank");
}
std::string HopsanLoadJoined() {
  return HmfConnect("volume.P2", "load.P1") + HmfConnect("load.P2", "tank.P1");
}

std::string HopsanVolume(const std::string& name, const std::string& volume) {
  return HmfComponent("HydraulicVolumeMultiPort", name, {{"V", volume}});
}
std::string HopsanOrifice(const std::string& name, const std::string& area) {
  return HmfComponent("HydraulicTurbulentOrifice", name, {{"A#Value", area + "e-6"}});
}
std::string HopsanFlow(const std::string& flow) {
  return HmfComponent("HydraulicFlowSourceQ", "source", {{"q#Value", flow}});
}
std::string HopsanTank(const std::string& name) { return HmfComponent("HydraulicTankC", name); }
std::string HopsanTorque(const std::string& name, const std::string& torque) {
  return HmfComponent("MechanicTorqueTransformer", name, {{"T#Value", torque}});
}

std::string DavitVolume(const std::string& name) {
  return "<hydraulic.Volume name=\"" + name + "\" volume=\"1 l\"/>";
}
std::string DavitOrifice(const std::string& name, const std::string& area) {
  return "<hydraulic.Orifice name=\"" + name + "\" area=\"" + area +
         " mm2\" discharge_coefficient=\"0.67\" density=\"870 kg/m3\"/>";
}
std::string DavitFlow(const std::string& flow) {
  return "<hydraulic.FlowSource name=\"source\" flow=\"" + flow + " m3/s\"/>";
}
std::string DavitTorque(const std::string& name, const std::string& torque) {
  return "<mechanical.Torque name=\"" + name + "\" torque=\"" + torque + " N.m\"/>";
}
std::string DavitInertia(const std::string& name, const std::string& viscous_friction) {
  return "<mechanical.Inertia name=\"" + name + "\" inertia=\"0.01 kg.m2\" viscous_friction=\"" +
         viscous_friction + " N.m.s/rad\"/>";
}
std::string Join(const std::string& from, const std::string& to) {
  return "<Connect from=\"" + from + "\" to=\"" + to + "\"/>";
}

}  // namespace davit
