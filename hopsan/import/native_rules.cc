#include "hopsan/import/native_rules.h"

#include <array>

// Pressures of Hopsan are absolute, those of davit gauge: 1e5 Pa is davit's atmospheric pressure.
// Displacements of Hopsan are per revolution.

namespace davit::hopsan {
namespace {

constexpr std::array kRules = {
    // ---- signals ----
    NativeRule{
        .type = "SignalConstant", .text = R"(<signal.Constant name="$" value="{y}"/>)", .ports = "y=$.y"},
    NativeRule{.type = "SignalGain",
               .when = "1 - has_k",
               .text = R"(<signal.Gain name="$" gain="{k}" u="{in}"/>)",
               .ports = "in=$.u out=$.y"},
    NativeRule{.type = "SignalAdd",
               .text = R"(<signal.Expression name="$">
  <Input name="in1" value="{in1}"/>
  <Input name="in2" value="{in2}"/>
  <Output name="out" expr="in1 + in2"/>
</signal.Expression>)",
               .ports = "in1=$.in1 in2=$.in2 out=$.out"},
    NativeRule{.type = "SignalSubtract",
               .text = R"(<signal.Expression name="$">
  <Input name="in1" value="{in1}"/>
  <Input name="in2" value="{in2}"/>
  <Output name="out" expr="in1 - in2"/>
</signal.Expression>)",
               .ports = "in1=$.in1 in2=$.in2 out=$.out"},
    NativeRule{.type = "SignalMultiply",
               .text = R"(<signal.Expression name="$">
  <Input name="in1" value="{in1}"/>
  <Input name="in2" value="{in2}"/>
  <Output name="out" expr="in1 * in2"/>
</signal.Expression>)",
               .ports = "in1=$.in1 in2=$.in2 out=$.out"},
    NativeRule{.type = "SignalDivide",
               .text = R"(<signal.Expression name="$">
  <Input name="in1" value="{in1}"/>
  <Input name="in2" value="{in2}"/>
  <Output name="out" expr="in1 / in2"/>
</signal.Expression>)",
               .ports = "in1=$.in1 in2=$.in2 out=$.out",
               .differs = "in2 = 0 ends the run at the start, too"},
    NativeRule{.type = "SignalSum", .text = R"(<signal.Sum name="$"/>)", .ports = "in=$.u out=$.y"},
    NativeRule{
        .type = "SignalStep",
        .text = R"(<signal.Step name="$" start_time="{t_step} s" before="{y_0}" after="{y_0 + y_A}"/>)",
        .ports = "out=$.y",
        .differs = "the jump is at t_step itself, in Hopsan at the first step not before it"},
    NativeRule{
        .type = "SignalRamp",
        .when = "t_end > t_start",
        .text =
            R"(<signal.Ramp name="$" start_time="{t_start} s" duration="{t_end - t_start} s" from="{y_0}" to="{y_0 + y_A}"/>)",
        .ports = "out=$.y"},
    NativeRule{
        .type = "SignalSineWave",
        .text =
            R"(<signal.Sine name="$" amplitude="{y_A}" frequency="{2*pi*f} rad/s" phase="{-2*pi*f*(t_start + y_offset)} rad" offset="0" start_time="{t_start} s"/>)",
        .ports = "out=$.y"},
    NativeRule{
        .type = "SignalSquareWave",
        .when = "abs(t_start) < 1e-12",
        .text =
            R"(<signal.Pulse name="$" period="{1/f} s" width="{0.5/f} s" low="{y_0 - y_A}" high="{y_0 + y_A}"/>)",
        .ports = "out=$.y"},
    NativeRule{.type = "SignalSaturation",
               .text = R"(<signal.Limiter name="$" low="{y_lower}" high="{y_upper}" u="{in}"/>)",
               .ports = "in=$.u out=$.y"},
    NativeRule{.type = "SignalIntegrator2",
               .text = R"(<signal.Integrator name="$" u="{in}">
  <Start y="{out}"/>
</signal.Integrator>)",
               .ports = "in=$.u out=$.y"},
    NativeRule{.type = "SignalLP1Filter",
               .when = "(y_max > 1e299) * (y_min < -1e299)",
               .text = R"(<signal.LowPass name="$" time_constant="{1/omega} s" u="{in}">
  <Start y="{out}"/>
</signal.LowPass>)",
               .ports = "in=$.u out=$.y"},
    NativeRule{.type = "SignalSink"},
    NativeRule{.type = "SignalDisplay"},
    NativeRule{.type = "SignalDummy"},

    // ---- sensors ----
    NativeRule{.type = "HydraulicPressureSensor",
               .text = R"(<hydraulic.PressureSensor name="$_gauge"/>
<signal.Expression name="$">
  <Input name="p" unit="Pa"/>
  <Output name="out" unit="Pa" expr="p + 1e5"/>
</signal.Expression>
<Route from="$_gauge.p" to="$.p"/>)",
               .ports = "P1=$_gauge.port out=$.out",
               .differs = "it is not a step late"},
    NativeRule{.type = "MechanicPositionSensor",
               .text = R"(<mechanical.PositionSensor name="$" zero="{-P1_Shift} m"/>)",
               .ports = "P1=$.port out=$.y",
               .differs = "it is not a step late"},
    NativeRule{.type = "MechanicSpeedSensor",
               .text = R"(<mechanical.PositionSensor name="$"/>)",
               .ports = "P1=$.port out=$.v",
               .differs = "it is not a step late"},

    // ---- hydraulics, C ----
    NativeRule{.type = "HydraulicTankC",
               .text = R"(<hydraulic.Tank name="$" back_pressure="{p - 1e5} Pa"/>)",
               .ports = "P1=$.port"},
    NativeRule{.type = "HydraulicMultiTankC",
               .text = R"(<hydraulic.Tank name="$" back_pressure="{p - 1e5} Pa"/>)",
               .ports = "MP=$.port"},
    NativeRule{.type = "HydraulicPressureSourceC",
               .text = R"(<signal.Expression name="$_gauge">
  <Input name="p" value="{p}"/>
  <Output name="y" unit="Pa" expr="p - 1e5"/>
</signal.Expression>
<hydraulic.PressureSource name="$"/>
<Route from="$_gauge.y" to="$.pressure"/>)",
               .ports = "P1=$.port p=$_gauge.p"},
    NativeRule{
        .type = "HydraulicVolume",
        .text =
            R"(<hydraulic.Volume name="$" volume="{V} m3" bulk_modulus="{Beta_e} Pa" vapour_pressure="0 Pa">
  <Start p="{(P1_Pressure + P2_Pressure)/2 - 1e5} Pa"/>
</hydraulic.Volume>)",
        .has_volumes = true,
        .ports = "P1=$.port P2=$.port",
        .differs = "one pressure without waves; it cavitates at 0 Pa (absolute)"},
    NativeRule{
        .type = "HydraulicVolumeMultiPort",
        .text =
            R"(<hydraulic.Volume name="$" volume="{V} m3" bulk_modulus="{Beta_e} Pa" vapour_pressure="0 Pa">
  <Start p="{P1_Pressure - 1e5} Pa"/>
</hydraulic.Volume>)",
        .has_volumes = true,
        .ports = "P1=$.port",
        .differs = "one pressure without waves; it cavitates at 0 Pa (absolute)"},
    // Half of the smaller dead volume stays at the port, so that valves have a volume there.
    NativeRule{
        .type = "HydraulicCylinderC",
        .when = "(A_1 > (A_2*0.999999999)) * (abs(P3_Shift) < 1e-12)",
        .text =
            R"(<hydraulic.Volume name="$_a" volume="{V_1 - min(V_1, V_2)/2} m3" bulk_modulus="{Beta_e} Pa" vapour_pressure="0 Pa">
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
<Connect from="$.b" to="$_b.port"/>)",
        .has_volumes = true,
        .ports = "P1=$_a.port P2=$_b.port P3=$.rod",
        .differs =
            "levels; half of the smaller dead volume is at each port, the rest in $_a and $_b; wide ports in "
            "between; stops yield by 1 mm under 350 bar; equal areas have a rod of 1 um"},

    // ---- hydraulics, Q ----
    NativeRule{
        .type = "HydraulicLaminarOrifice",
        .when = "(1 - has_Kc) * (Kc > 0)",
        .text =
            R"(<hydraulic.Orifice name="$" law="laminar_turbulent" area="0.01 m2" discharge_coefficient="0.67" density="870 kg/m3" kinematic_viscosity="1e-6 m2/s" hydraulic_diameter="1 m" laminar_coefficient="{0.02/(Kc*1e-6*870)}"/>)",
        .ports = "P1=$.a P2=$.b",
        .differs = "a wide tube of the laminar conductance Kc; the turbulent loss is 10 Pa at 1e-3 m3/s"},
    NativeRule{
        .type = "HydraulicTurbulentOrifice",
        .when = "(1 - has_A) * (1 - has_C_q) * (1 - has_rho)",
        .text =
            R"(<hydraulic.Orifice name="$" area="{abs(A)} m2" discharge_coefficient="{C_q}" density="{rho} kg/m3"/>)",
        .ports = "P1=$.a P2=$.b",
        .differs = "smooth below 0.1 bar"},
    NativeRule{
        .type = "HydraulicCheckValve",
        .text =
            R"(<hydraulic.CheckValve name="$" nominal_flow="{K_s*sqrt(1e5)} m3/s" nominal_pressure_drop="1 bar" cracking_pressure="0 Pa" opening_range="100 Pa"/>)",
        .ports = "P1=$.a P2=$.b",
        .differs = "it opens over 100 Pa"},
    NativeRule{
        .type = "HydraulicPressureReliefValve",
        .text =
            R"(<hydraulic.ReliefValve name="$" set_pressure="{p_max - 1e5} Pa" opening_range="{q_nom*(1/k_cs + p_max/(7e6*k_cf))} Pa" discharge_coefficient="0.67" density="870 kg/m3" seat_diameter="{sqrt(4/pi*q_nom/sqrt(7e6)/(0.67*sqrt(2/870)))} m" dynamics="first_order" spool_time="{max(tao, 1e-6)} s"/>)",
        .ports = "P1=$.in P2=$.out",
        .differs =
            "no hysteresis p_h; the slope of its characteristic is that at p_max; its lag is tao at all "
            "flows"},
    NativeRule{.type = "HydraulicFlowSourceQ",
               .text = R"(<hydraulic.FlowSource name="$" flow="{q} m3/s"/>)",
               .ports = "P1=$.port q=$.flow"},
    NativeRule{
        .type = "HydraulicFixedDisplacementPump",
        .text =
            R"(<hydraulic.FixedDisplacementPump name="$" displacement="{D_p/(2*pi)} m3/rad" speed="{n_p} rad/s" leakage="{C_lp} m3/s/Pa"/>)",
        .ports = "P1=$.in P2=$.out n_p=$.speed",
        .differs = "no angle a"},
    NativeRule{
        .type = "HydraulicVariableDisplacementPump",
        .when = "(1 - has_eps) * (abs(eps) < 1.000001)",
        .text =
            R"(<hydraulic.FixedDisplacementPump name="$" displacement="{D_p/(2*pi)} m3/rad" speed="{omega_p} rad/s" displacement_setting="{eps}" leakage="{K_cp} m3/s/Pa"/>)",
        .ports = "P1=$.in P2=$.out omega_p=$.speed",
        .differs = "no angle a"},
    NativeRule{
        .type = "Hydraulic43Valve",
        .when = "(1 - has_x_vmax) * (f_pa > 0) * ((abs(f_pa - f_pb) + abs(f_pa - f_at) + abs(f_pa - f_bt)) < "
                "1e-12)"
                " * ((abs(x_pa - x_pb) + abs(x_pa - x_at) + abs(x_pa - x_bt)) < (x_vmax*1e-6))"
                " * (x_pa > (-0.001*x_vmax)) * (x_pa < (0.9*x_vmax))",
        .text =
            R"(<signal.Gain name="$_travel" gain="{1/x_vmax}" u="{in}"/>
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
<Route from="$_limit.y" to="$.spool"/>)",
        .ports = "PP=$.p PT=$.t PA=$.a PB=$.b in=$_travel.u",
        .differs =
            "levels; the spool is a share of x_vmax and starts at its input; underlaps below a thousandth of "
            "the travel are 0; smooth below 0.1 bar"},

    // ---- mechanics; x of a mass is minus that of its port P1 ----
    NativeRule{
        .type = "MechanicTranslationalMass",
        .when = "(abs(k) < 1e-12) * (1 - has_k)",
        .text =
            R"(<mechanical.Mass name="$" mass="{m} kg" viscous_friction="{B} N.s/m" x_min="{max(x_min - P1_Position - P2_Position, -1e9)} m" x_max="{min(x_max - P1_Position - P2_Position, 1e9)} m">
  <Start x="{-P1_Position} m" v="{P2_Velocity} m/s"/>
</mechanical.Mass>)",
        .ports = "P1=$.a P2=$.b"},
    NativeRule{
        .type = "MechanicTranslationalMassWithCoulombFriction",
        .text =
            R"(<mechanical.Mass name="$" mass="{m} kg" viscous_friction="{b} N.s/m" static_friction="{f_s} N" kinetic_friction="{f_k} N" x_min="{max(x_min - P1_Position - P2_Position, -1e9)} m" x_max="{min(x_max - P1_Position - P2_Position, 1e9)} m">
  <Start x="{-P1_Position} m" v="{P2_Velocity} m/s"/>
</mechanical.Mass>)",
        .ports = "P1=$.a P2=$.b",
        .differs = "in an island it creeps where it should stick, and f_s has no effect"},
    NativeRule{
        .type = "MechanicTranslationalSpring",
        .when = "abs(P1_Force - P2_Force) < 1e-9",
        .text =
            R"(<mechanical.Spring name="$" stiffness="{k} N/m" preload="{P1_Force - k*(P1_Position - P1_Shift + P2_Position - P2_Shift)} N"/>)",
        .ports = "P1=$.a P2=$.b",
        .differs = "no delay and no filter alpha"},
    NativeRule{.type = "MechanicFixedPosition",
               .text = R"(<mechanical.Fixed name="$" position="{Pm1_Position} m"/>)",
               .ports = "Pm1=$.port"},
    NativeRule{.type = "MechanicForceTransformer",
               .text = R"(<mechanical.Force name="$" force="{F} N"/>)",
               .ports = "P1=$.port F=$.force"},
};

}  // namespace

std::span<const NativeRule> NativeRules() { return kRules; }

}  // namespace davit::hopsan
