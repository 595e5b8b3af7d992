#include "framework/fault.h"

namespace davit {

std::string Fault::ToText() const {
  if (what.empty() || remedy.empty()) return what + remedy;
  return what + "; " + remedy;
}

}  // namespace davit
