#include "components/signal/register.h"

#include "components/signal/constant.h"
#include "components/signal/dead_band.h"
#include "components/signal/expression.h"
#include "components/signal/gain.h"
#include "components/signal/jonswap.h"
#include "components/signal/limiter.h"
#include "components/signal/low_pass.h"
#include "components/signal/maximum.h"
#include "components/signal/pid.h"
#include "components/signal/product.h"
#include "components/signal/pulse.h"
#include "components/signal/quotient.h"
#include "components/signal/ramp.h"
#include "components/signal/rate_limiter.h"
#include "components/signal/signal_integrator.h"
#include "components/signal/sine.h"
#include "components/signal/step.h"
#include "components/signal/sum.h"
#include "components/signal/table.h"
#include "components/signal/threshold.h"

namespace davit {

void RegisterSignal(Registry& registry) {
  registry.Add<Constant, Step, Ramp, Sine, Pulse, Table, Jonswap>();
  registry.Add<DeadBand, Gain, Sum, Product, Quotient, Limiter, Maximum, Threshold>();
  registry.Add<LowPass, RateLimiter, SignalIntegrator, Pid>();
  registry.Add<Expression>();
}

}  // namespace davit
