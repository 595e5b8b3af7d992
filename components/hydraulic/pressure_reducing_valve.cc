#include "components/hydraulic/pressure_reducing_valve.h"

namespace davit {

void PressureReducingValve::ParametersChanged() {
  K_ = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop);
}

void PressureReducingValve::EvaluateDiffEquations(double /*t*/) {
  // A flow from in to out leaves p_out below set_pressure, one to the tank above it: they do not meet.
  const double q_in = FlowBetween(*in, *out, [this](const PortWave& at_in, const PortWave& at_out) {
                        return SelfPilotedFlow(K_, at_in, at_out, [this](double /*p_in*/, double p_out) {
                          return InletOpening(p_out);
                        });
                      }).q;
  q_tank = tank.is_connected()
               ? FlowBetween(*out, *tank,
                             [this](const PortWave& at_out, const PortWave& at_tank) {
                               return SelfPilotedFlow(
                                   K_, at_out, at_tank,
                                   [this](double p_out, double /*p_tank*/) { return TankOpening(p_out); });
                             })
                     .q
               : 0;
  q = q_in - q_tank;
  in->q = -q_in;
  out->q = q;
  tank->q = q_tank;
}

PressureReducingValve::Action PressureReducingValve::ActionNow() const {
  if (tank.is_connected() && TankOpening(out->p()) > 0) return Action::kRelieving;
  const double r = InletOpening(out->p());
  return r <= 0 ? Action::kShut : r < 1 ? Action::kReducing : Action::kFullyOpen;
}

}  // namespace davit
