#include "hopsan/import/native_rules.h"

#include <algorithm>

// The table, a rule after another: the type and what its ports and signals become; then, indented, its
// condition, whether it has volumes, how it differs, and the elements. Pressures of Hopsan are absolute,
// those of davit gauge (the atmospheric pressure is 1e5 Pa); its displacements are per revolution.

namespace davit::hopsan {
namespace {

constexpr std::string_view kTable = R"(
# signals
SignalConstant y=$.y
  <signal.Constant name="$" value="{y}"/>
SignalGain in=$.u out=$.y
  when 1 - has_k
  <signal.Gain name="$" gain="{k}" u="{in}"/>
SignalAdd in1=$.in1 in2=$.in2 out=$.out
  <signal.Expression name="$">
    <Input name="in1" value="{in1}"/> <Input name="in2" value="{in2}"/>
    <Output name="out" expr="in1 + in2"/>
  </signal.Expression>
SignalSubtract in1=$.in1 in2=$.in2 out=$.out
  <signal.Expression name="$">
    <Input name="in1" value="{in1}"/> <Input name="in2" value="{in2}"/>
    <Output name="out" expr="in1 - in2"/>
  </signal.Expression>
SignalMultiply in1=$.in1 in2=$.in2 out=$.out
  <signal.Expression name="$">
    <Input name="in1" value="{in1}"/> <Input name="in2" value="{in2}"/>
    <Output name="out" expr="in1 * in2"/>
  </signal.Expression>
SignalDivide in1=$.in1 in2=$.in2 out=$.out
  differs in2 = 0 ends the run at the start, too
  <signal.Expression name="$">
    <Input name="in1" value="{in1}"/> <Input name="in2" value="{in2}"/>
    <Output name="out" expr="in1 / in2"/>
  </signal.Expression>
SignalSum in=$.u out=$.y
  <signal.Sum name="$"/>
SignalStep out=$.y
  differs the jump is at t_step itself, in Hopsan at the first step not before it
  <signal.Step name="$" start_time="{t_step} s" before="{y_0}" after="{y_0 + y_A}"/>
SignalRamp out=$.y
  when t_end > t_start
  <signal.Ramp name="$" start_time="{t_start} s" duration="{t_end - t_start} s" from="{y_0}" to="{y_0 + y_A}"/>
SignalSineWave out=$.y
  <signal.Sine name="$" amplitude="{y_A}" frequency="{2*pi*f} rad/s" phase="{-2*pi*f*(t_start + y_offset)} rad" offset="0" start_time="{t_start} s"/>
SignalSquareWave out=$.y
  when abs(t_start) < 1e-12
  differs it begins with y_0 + y_A at 0 s itself, in Hopsan a step later
  <signal.Pulse name="$" period="{1/f} s" width="{0.5/f} s" low="{y_0 - y_A}" high="{y_0 + y_A}"/>
SignalSaturation in=$.u out=$.y
  <signal.Limiter name="$" low="{y_lower}" high="{y_upper}" u="{in}"/>
SignalIntegrator2 in=$.u out=$.y
  <signal.Integrator name="$" u="{in}">
    <Start y="{out}"/>
  </signal.Integrator>
SignalLP1Filter in=$.u out=$.y
  when (y_max > 1e299) * (y_min < -1e299)
  <signal.LowPass name="$" time_constant="{1/omega} s" u="{in}">
    <Start y="{out}"/>
  </signal.LowPass>
SignalSink
SignalDisplay
SignalDummy
# sensors
HydraulicPressureSensor P1=$_gauge.port out=$.out
  differs it is not a step late
  <hydraulic.PressureSensor name="$_gauge"/>
  <signal.Expression name="$">
    <Input name="p" unit="Pa"/>
    <Output name="out" unit="Pa" expr="p + 1e5"/>
  </signal.Expression>
  <Route from="$_gauge.p" to="$.p"/>
MechanicPositionSensor P1=$.port out=$.y
  differs it is not a step late
  <mechanical.PositionSensor name="$" zero="{-P1_Shift} m"/>
MechanicSpeedSensor P1=$.port out=$.v
  differs it is not a step late
  <mechanical.PositionSensor name="$"/>
# hydraulics, C
HydraulicTankC P1=$.port
  <hydraulic.Tank name="$" back_pressure="{p - 1e5} Pa"/>
HydraulicMultiTankC MP=$.port
  <hydraulic.Tank name="$" back_pressure="{p - 1e5} Pa"/>
HydraulicPressureSourceC P1=$.port p=$_gauge.p
  <signal.Expression name="$_gauge">
    <Input name="p" value="{p}"/>
    <Output name="y" unit="Pa" expr="p - 1e5"/>
  </signal.Expression>
  <hydraulic.PressureSource name="$"/>
  <Route from="$_gauge.y" to="$.pressure"/>
HydraulicVolume P1=$.port P2=$.port
  has volumes
  differs one pressure without waves; it cavitates at 0 Pa (absolute)
  <hydraulic.Volume name="$" volume="{V} m3" bulk_modulus="{Beta_e} Pa" vapour_pressure="0 Pa">
    <Start p="{(P1_Pressure + P2_Pressure)/2 - 1e5} Pa"/>
  </hydraulic.Volume>
HydraulicVolumeMultiPort P1=$.port
  has volumes
  differs one pressure without waves; it cavitates at 0 Pa (absolute)
  <hydraulic.Volume name="$" volume="{V} m3" bulk_modulus="{Beta_e} Pa" vapour_pressure="0 Pa">
    <Start p="{P1_Pressure - 1e5} Pa"/>
  </hydraulic.Volume>
# Half of the smaller dead volume of a cylinder is at its ports, so that valves have a volume there.
HydraulicCylinderC P1=$_a.port P2=$_b.port P3=$.rod
  when (A_1 > (A_2*0.999999999)) * (abs(P3_Shift) < 1e-12) * (P3_Position < 1e-9) * ((-P3_Position) < (s_l + 1e-9))
  has volumes
  differs levels; half of the smaller dead volume is at each port, the rest in $_a and $_b; wide ports in between; stops yield by 1 mm under 350 bar; equal areas have a rod of 1 um
  <hydraulic.Volume name="$_a" volume="{V_1 - min(V_1, V_2)/2} m3" bulk_modulus="{Beta_e} Pa" vapour_pressure="0 Pa">
    <Start p="{P1_Pressure - 1e5} Pa"/>
  </hydraulic.Volume>
  <hydraulic.Volume name="$_b" volume="{V_2 - min(V_1, V_2)/2} m3" bulk_modulus="{Beta_e} Pa" vapour_pressure="0 Pa">
    <Start p="{P2_Pressure - 1e5} Pa"/>
  </hydraulic.Volume>
  <hydraulic.Cylinder name="$" level="Standard" leakage="Constant"
      bore="{sqrt(4*A_1/pi)} m" rod="{max(sqrt(4*max(A_1 - A_2, 0)/pi), 1e-6)} m" stroke="{s_l} m" rod_mass="0 kg"
      dead_volume="{min(V_1, V_2)/2} m3" bulk_modulus="{Beta_e} Pa" vapour_pressure="0 Pa"
      outer_diameter="{1.2*sqrt(4*A_1/pi)} m" viscous_friction="{B_p} N.s/m" leakage_conductance="{c_leak} m3/s/Pa"
      port_a_diameter="{sqrt(A_1)} m" port_b_diameter="{sqrt(A_1)} m">
    <Start x="{-P3_Position} m" p_a="{P1_Pressure - 1e5} Pa" p_b="{P2_Pressure - 1e5} Pa"/>
  </hydraulic.Cylinder>
  <Connect from="$.a" to="$_a.port"/>
  <Connect from="$.b" to="$_b.port"/>
# hydraulics, Q
HydraulicLaminarOrifice P1=$.a P2=$.b
  when (1 - has_Kc) * (Kc > 0)
  differs a wide tube of the laminar conductance Kc; the turbulent loss is 10 Pa at 1e-3 m3/s
  <hydraulic.Orifice name="$" law="laminar_turbulent" area="0.01 m2" discharge_coefficient="0.67" density="870 kg/m3" kinematic_viscosity="1e-6 m2/s" hydraulic_diameter="1 m" laminar_coefficient="{0.02/(Kc*1e-6*870)}"/>
HydraulicTurbulentOrifice P1=$.a P2=$.b
  when (1 - has_A) * (1 - has_C_q) * (1 - has_rho)
  differs smooth below 0.1 bar
  <hydraulic.Orifice name="$" area="{abs(A)} m2" discharge_coefficient="{C_q}" density="{rho} kg/m3"/>
HydraulicCheckValve P1=$.a P2=$.b
  differs it opens over 100 Pa
  <hydraulic.CheckValve name="$" nominal_flow="{K_s*sqrt(1e5)} m3/s" nominal_pressure_drop="1 bar" cracking_pressure="0 Pa" opening_range="100 Pa"/>
HydraulicPressureReliefValve P1=$.in P2=$.out
  differs no hysteresis p_h; the slope of its characteristic is that at p_max; its lag is tao at all flows
  <hydraulic.ReliefValve name="$" set_pressure="{p_max - 1e5} Pa" opening_range="{q_nom*(1/k_cs + p_max/(7e6*k_cf))} Pa" discharge_coefficient="0.67" density="870 kg/m3" seat_diameter="{sqrt(4/pi*q_nom/sqrt(7e6)/(0.67*sqrt(2/870)))} m" dynamics="first_order" spool_time="{max(tao, 1e-6)} s"/>
HydraulicFlowSourceQ P1=$.port q=$.flow
  <hydraulic.FlowSource name="$" flow="{q} m3/s"/>
HydraulicFixedDisplacementPump P1=$.in P2=$.out n_p=$.speed
  differs no angle a
  <hydraulic.FixedDisplacementPump name="$" displacement="{D_p/(2*pi)} m3/rad" speed="{n_p} rad/s" leakage="{C_lp} m3/s/Pa"/>
HydraulicVariableDisplacementPump P1=$.in P2=$.out omega_p=$.speed
  when (1 - has_eps) * (abs(eps) < 1.000001)
  differs no angle a
  <hydraulic.FixedDisplacementPump name="$" displacement="{D_p/(2*pi)} m3/rad" speed="{omega_p} rad/s" displacement_setting="{eps}" leakage="{K_cp} m3/s/Pa"/>
Hydraulic43Valve PP=$.p PT=$.t PA=$.a PB=$.b in=$_travel.u
  when (1 - has_x_vmax) * (f_pa > 0) * ((abs(f_pa - f_pb) + abs(f_pa - f_at) + abs(f_pa - f_bt)) < 1e-12) * ((abs(x_pa - x_pb) + abs(x_pa - x_at) + abs(x_pa - x_bt)) < (x_vmax*1e-6)) * (x_pa > (-0.001*x_vmax)) * (x_pa < (0.9*x_vmax))
  differs levels; the spool is a share of x_vmax and starts at its input; underlaps below a thousandth of the travel are 0; smooth below 0.1 bar
  <signal.Gain name="$_travel" gain="{1/x_vmax}" u="{in}"/>
  <signal.Limiter name="$_limit" low="-1" high="1"/>
  <hydraulic.DirectionalControlValve name="$" level="Ideal" opening_law="Linear" spool_dynamics="SecondOrder"
      nominal_flow="{C_q*f_pa*pi*d*(x_vmax - max(x_pa, 0))*sqrt(2/rho)*sqrt(1e5)} m3/s" nominal_pressure_drop="1 bar"
      spool_type="O" neutral_opening="0" deadband="{max(x_pa, 0)/x_vmax}" discharge_coefficient="{C_q}"
      density="{rho} kg/m3" spool_diameter="{d} m" spool_frequency="{omega_h/(2*pi)} Hz" spool_damping="{delta_h}"
      spool_speed="1e6">
    <!-- Advanced without a pressure compensator: set level to Plain. -->
    <Level name="Plain" base="Advanced" compensator="Off" spool_dynamics="SecondOrder"/>
  </hydraulic.DirectionalControlValve>
  <Route from="$_travel.y" to="$_limit.u"/>
  <Route from="$_limit.y" to="$.spool"/>
# mechanics; x of a mass is minus that of its port P1
MechanicTranslationalMass P1=$.a P2=$.b
  when (abs(k) < 1e-12) * (1 - has_k)
  <mechanical.Mass name="$" mass="{m} kg" viscous_friction="{B} N.s/m" x_min="{max(x_min - P1_Position - P2_Position, -1e9)} m" x_max="{min(x_max - P1_Position - P2_Position, 1e9)} m">
    <Start x="{-P1_Position} m" v="{P2_Velocity} m/s"/>
  </mechanical.Mass>
MechanicTranslationalMassWithCoulombFriction P1=$.a P2=$.b
  differs in an island it creeps instead of sticking, and f_s has no effect
  <mechanical.Mass name="$" mass="{m} kg" viscous_friction="{b} N.s/m" static_friction="{f_s} N" kinetic_friction="{f_k} N" x_min="{max(x_min - P1_Position - P2_Position, -1e9)} m" x_max="{min(x_max - P1_Position - P2_Position, 1e9)} m">
    <Start x="{-P1_Position} m" v="{P2_Velocity} m/s"/>
  </mechanical.Mass>
MechanicTranslationalSpring P1=$.a P2=$.b
  when abs(P1_Force - P2_Force) < 1e-9
  differs no delay and no filter alpha
  <mechanical.Spring name="$" stiffness="{k} N/m" preload="{P1_Force - k*(P1_Position - P1_Shift + P2_Position - P2_Shift)} N"/>
MechanicFixedPosition Pm1=$.port
  <mechanical.Fixed name="$" position="{Pm1_Position} m"/>
MechanicForceTransformer P1=$.port F=$.force
  <mechanical.Force name="$" force="{F} N"/>
)";

std::vector<NativeRule> ReadTable() {
  std::vector<NativeRule> rules;
  for (std::string_view rest = kTable.substr(1); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    if (line.starts_with('#')) continue;
    if (!line.starts_with(' ')) {
      const std::size_t end = std::min(line.find(' '), line.size());
      rules.push_back({.type = line.substr(0, end), .ports = line.substr(std::min(end + 1, line.size()))});
      continue;
    }
    const std::string_view text = line.substr(2);
    NativeRule& rule = rules.back();
    if (text.starts_with("when ")) {
      rule.when = text.substr(5);
    } else if (text.starts_with("differs ")) {
      rule.differs = text.substr(8);
    } else if (text == "has volumes") {
      rule.has_volumes = true;
    } else {
      rule.text.append(rule.text.empty() ? "" : "\n").append(text);
    }
  }
  return rules;
}

}  // namespace

const std::vector<NativeRule>& NativeRules() {
  static const std::vector<NativeRule> rules = ReadTable();
  return rules;
}

}  // namespace davit::hopsan
