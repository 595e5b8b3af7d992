#include "simulator/solvers/integration.h"

#include <vector>

#include "framework/nearest_name.h"

namespace davit {
namespace {
constexpr std::string_view kDaeMethod = "ida";
}

void Integration::Configure(Diagnostics& diagnostics) {
  const auto refuse = [&](const std::string& text) { diagnostics.Error(location(), DisplayPath(), text); };
  const std::string& method = method_.value();
  if (kind_ == Kind::kDae) {
    if (!method.empty() && method != kDaeMethod) refuse("no DAE method " + Quoted(method) + "; it has ida");
  } else if (!method.empty() && FindOdeMethod(method) == nullptr) {
    std::vector<std::string> names;
    for (const OdeMethod& known : OdeMethods()) names.emplace_back(known.name);
    refuse("no ODE method " + Quoted(method) + "; " + SuggestName("it has", method, names));
  }
  if (min_step_ > max_step_) refuse("min_step is larger than max_step; exchange them");
}

IntegratorOptions Integration::Options(double time_step) const {
  IntegratorOptions options;
  if (kind_ == Kind::kDae) options.method = kDaeMethod;
  if (!method_.value().empty()) options.method = method_.value();
  options.relative_tolerance = rtol_;
  options.absolute_tolerance = atol_;
  options.min_step = min_step_;
  options.max_step = max_step_;
  options.fixed_step = time_step / substeps_;
  options.max_order = max_order_;
  return options;
}

}  // namespace davit
