#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "framework/diagnostics.h"
#include "statecharts/chart.h"
#include "statecharts/chart_host.h"
#include "statecharts/chart_source.h"

namespace davit {

/// The charts read so far while one chart and its children are loaded: a file is read once.
struct ChartCache {
  std::map<std::filesystem::path, std::shared_ptr<const Chart>> charts;
  std::set<std::filesystem::path> open;  ///< being read: a chart that invokes itself
};

struct ChartLoadOptions {
  /// The system that signals and properties are looked for in; may be null.
  ChartHost* host = nullptr;
  /// The data model of charts that name none.
  DataModelKind default_data_model = DataModelKind::kDavit;
  /// Shared by all charts that exchange events; a new one where it is null.
  std::shared_ptr<SymbolTable> symbols;
  /// Made by the loader.
  std::shared_ptr<ChartCache> cache;
  /// Of the chart around this one.
  ChartNamespaces namespaces;
  /// How many `<invoke>`s this chart lies in.
  int invoke_depth = 0;
};

/// Where the files come from that a chart names; null: the disk.
inline const FileSource* FilesOf(const ChartHost* host) { return host == nullptr ? nullptr : host->files(); }

/// Reads and compiles a chart with the child charts it names. All faults go to `diagnostics`; null where one
/// is an error.
std::shared_ptr<const Chart> LoadChart(const std::filesystem::path& file, const ChartLoadOptions& options,
                                       Diagnostics& diagnostics);

/// The same for a chart whose text is at hand. `file` is the name in messages and the base of relative names.
std::shared_ptr<const Chart> LoadChartText(std::string text, const std::filesystem::path& file,
                                           const ChartLoadOptions& options, Diagnostics& diagnostics);

/// The file that a `src` of a chart names: `file:NAME`, `file:///NAME` or a plain name, relative to the
/// chart.
std::filesystem::path ResolveSource(const std::filesystem::path& chart_file, std::string_view source);

}  // namespace davit
