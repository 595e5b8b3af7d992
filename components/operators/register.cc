#include "components/operators/register.h"

#include "components/operators/dead_band_operator.h"
#include "components/operators/delay_operator.h"
#include "components/operators/expression_operator.h"
#include "components/operators/filter_operator.h"
#include "components/operators/interlock_operator.h"
#include "components/operators/limiter_operator.h"
#include "components/operators/offset_operator.h"
#include "components/operators/pid_operator.h"
#include "components/operators/scaling_operator.h"

namespace davit {

void RegisterOperators(Registry& registry) {
  registry.Add<ScalingOperator, OffsetOperator, LimiterOperator, DeadBandOperator, DelayOperator>();
  registry.Add<FilterOperator, PidOperator, InterlockOperator, ExpressionOperator>();
}

}  // namespace davit
