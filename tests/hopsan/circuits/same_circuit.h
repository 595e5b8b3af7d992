#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace davit {

/// A circuit in both programs: what becomes steady in it is compared.
struct SameCircuit {
  std::string name;
  std::string hopsan_components, hopsan_connections;
  std::string davit;                                        ///< components and connections
  std::vector<std::pair<std::string, std::string>> values;  ///< of Hopsan and of davit
};
using SameCircuits = std::vector<SameCircuit>;

void PrintTo(const SameCircuit& circuit, std::ostream* out);

// Circuits by what is tested in them. No parameter is fitted: each follows from the equations of both
// programs.
/// Directional valves: a flow goes to the valve, and from A over the load to B.
void AddSpools(SameCircuits* circuits);
/// Check, relief, reducing, flow control and other valves by themselves.
void AddSingleValves(SameCircuits* circuits);
/// Valves that pressures move, composed ones among them.
void AddPressureValves(SameCircuits* circuits);
/// Cylinders of 20 and 10 cm2.
void AddCylinders(SameCircuits* circuits);
/// Pumps and motors, accumulators, lines, laminar restrictions.
void AddMachines(SameCircuits* circuits);
/// Gears, clutches, friction and electrical drives.
void AddShafts(SameCircuits* circuits);
/// Air: orifices after ISO 6358 in the place of nozzles.
void AddAir(SameCircuits* circuits);

// Parts of the circuits, in both programs under the same names. Areas in mm2, pressures in bar, flows in
// m3/s, volumes of Hopsan in m3: so large that their wave impedance does not matter.
std::string DavitTank();
std::string DavitSource(const std::string& name, const std::string& bar);
std::string HopsanSource(const std::string& name, const std::string& bar);
/// A volume behind the valve, drained by an orifice of `area`.
std::string DavitLoad(const std::string& area);
std::string HopsanLoad(const std::string& area, const std::string& volume = "0.1");
std::string HopsanLoadJoined();
std::string HopsanVolume(const std::string& name, const std::string& volume = "0.002");
std::string HopsanOrifice(const std::string& name, const std::string& area);
std::string HopsanFlow(const std::string& flow);
std::string HopsanTank(const std::string& name);
/// A torque [N m] against port 2 of an inertia, or one that drives its port 1.
std::string HopsanTorque(const std::string& name, const std::string& torque);
std::string DavitVolume(const std::string& name);
std::string DavitOrifice(const std::string& name, const std::string& area);
std::string DavitFlow(const std::string& flow);
std::string DavitTorque(const std::string& name, const std::string& torque);
std::string DavitInertia(const std::string& name, const std::string& viscous_friction);
/// `<Connect>` of two ports.
std::string Join(const std::string& from, const std::string& to);

}  // namespace davit
