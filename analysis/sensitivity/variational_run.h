#pragma once

#include <span>
#include <stop_token>
#include <string>

#include "analysis/sensitivity/sensitivity_table.h"
#include "analysis/study/case_runner.h"

namespace davit {

/// What forward sensitivity analysis has found.
struct VariationalResult {
  /// Why the variational equations do not describe this run; then the table is empty. Empty where they do.
  std::string obstacle;
  /// Which slope is not known well by them, and why; empty where all are.
  std::string doubt;
  SensitivityTable table;
};

/// Forward sensitivities: integrates the variational equations along one run,
///
///     S' = df/dy S + df/dp,   of algebraic islands   dF/dy' S' + dF/dy S + dF/dp = 0,
///
/// S = dy/dp, by RadauStep in each step of the solver (rodas5p, or IDA) that follows the run from step point
/// to step point. df/dy is the Jacobian that the solver has, where it has one, else difference quotients; S
/// at the start comes from differences of the start, a search for the steady state among them. Where a break
/// at t_b moves with a parameter, S jumps by (y'(t_b-) - y'(t_b+)) dt_b/dp. A measure of signals y has the
/// derivative d/de measure(y + e dy/dp) at e = 0.
///
/// All of this is done twice: with the Jacobian that the solver has, or one-sided difference quotients where
/// it has none; and in steps of half the length with central ones. What is between them is the estimated
/// error: kinks show in it, and motions that the steps do not resolve.
///
/// It is for systems whose equations are one island between step points: no fixed-step (TLM) components,
/// charts, commands, held signals, operators, nor events; and for live parameters, inputs and start values.
///
/// `setup`: items, measures; `steps`: by item; `stop` ends it with an obstacle. Throws std::exception where
/// the run fails.
VariationalResult RunVariation(const CaseSetup& setup, std::span<const SensitivityStep> steps,
                               const Registry& registry, const std::stop_token& stop);

}  // namespace davit
