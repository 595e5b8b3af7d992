#include "studio/lone_chart.h"

#include <utility>

#include "framework/xml/xml_file.h"
#include "statecharts/chart_loader.h"

namespace davit {
namespace {

/// The `name` of a chart that can be read; else empty.
std::string NameOfChart(std::string_view text) {
  const XmlResult xml = ParseXml(text);
  const char* name = xml.document == nullptr ? nullptr : xml.document->RootElement()->Attribute("name");
  return name == nullptr ? std::string() : name;
}

}  // namespace

LoneChart::LoneChart(std::shared_ptr<const Folder> folder, const StudioModels& models,
                     const std::string& path, Texts unsaved, Diagnostics& diagnostics) {
  const std::filesystem::path file = folder->root() / path;
  files_ = std::make_shared<const FolderFiles>(std::move(folder), std::move(unsaved));
  TextResult read = files_->Read(file, "chart");
  if (!read.fault.empty()) {
    diagnostics.Error({std::make_shared<const std::string>(file.string()), 0}, {}, read.fault);
    return;
  }
  system_ = std::make_unique<AbsentSystem>(models.registry, NameOfChart(read.text), files_.get());
  ChartLoadOptions options;
  options.host = system_.get();
  options.cache = std::make_shared<ChartCache>();
  options.cache->open.insert(std::filesystem::weakly_canonical(file));
  chart_ = LoadChartText(std::move(read.text), file, options, diagnostics);
  if (diagnostics.has_errors()) chart_ = nullptr;
}

}  // namespace davit
