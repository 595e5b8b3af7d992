#include "app/load_chart.h"

#include <ostream>

#include "app/print_diagnostics.h"

namespace davit {

std::shared_ptr<const Chart> LoadChartFor(const ChartOptions& options, std::ostream& err) {
  Diagnostics diagnostics;
  ChartLoadOptions load;
  for (const DataModelKind kind : {DataModelKind::kDavit, DataModelKind::kNull, DataModelKind::kEcmascript}) {
    if (options.data_model == ToText(kind)) load.default_data_model = kind;
  }
  std::shared_ptr<const Chart> chart = LoadChart(options.chart, load, diagnostics);
  PrintDiagnostics(diagnostics, err);
  return diagnostics.has_errors() ? nullptr : chart;
}

}  // namespace davit
