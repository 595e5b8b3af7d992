#include "components/signal/sum.h"

#include <fmt/format.h>

#include "framework/counted.h"
#include "framework/nearest_name.h"

namespace davit {

void Sum::Configure(Diagnostics& diagnostics) {
  if (signs.value().find_first_not_of("+-") == std::string::npos) return;
  diagnostics.Error(
      location(), DisplayPath(),
      fmt::format("signs: {} has other characters than + and -; write one sign for each route, such as +-",
                  Quoted(signs.value())));
}

void Sum::ParametersChanged() {
  const std::string& text = signs.value();
  signs_.assign(u.size(), 1.0);
  for (std::size_t i = 0; i < u.size() && i < text.size(); ++i) {
    if (text[i] == '-') signs_[i] = -1;
  }
}

void Sum::CheckConnections(Diagnostics& diagnostics) {
  const std::size_t count = signs.value().size();
  if (count == 0 || count == u.size()) return;
  diagnostics.Error(location(), DisplayPath(),
                    fmt::format("signs: {} for {} to {}.u; write one sign for each route, or none to add all",
                                Counted(count, "sign"), Counted(u.size(), "route"), name()));
}

}  // namespace davit
