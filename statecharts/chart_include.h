#pragma once

#include <string_view>

#include "framework/diagnostics.h"
#include "statecharts/chart_loader.h"
#include "statecharts/chart_source.h"

namespace davit {

/// Reads the files that the <davit:include>s of a chart name, and those that these include, as parts of
/// `source`: a state's content drawn elsewhere (Harel's unclustering). `data_model` is that of the chart. All
/// faults go to `diagnostics`, with their places in the files they are in. A chart has at most 1,000 parts of
/// 4 MiB together, which include each other at most 8 deep.
void ReadIncludes(ChartSource& source, DataModelKind data_model, const FileSource* files,
                  Diagnostics& diagnostics);

}  // namespace davit
