#include "app/print_diagnostics.h"

#include <ostream>

namespace davit {

void PrintDiagnostics(const Diagnostics& diagnostics, std::ostream& out) {
  for (const Diagnostic& diagnostic : diagnostics.SortedByPlace()) out << ToText(diagnostic) << '\n';
}

}  // namespace davit
