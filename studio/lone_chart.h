#pragma once

#include <memory>
#include <string>

#include "session/absent_system.h"
#include "statecharts/chart.h"
#include "studio/system_loading.h"

namespace davit {

/// A chart of the folder as it is edited, with a substitute for the system it belongs to.
class LoneChart {
 public:
  /// Faults go to `diagnostics`.
  LoneChart(std::shared_ptr<const Folder> folder, const StudioModels& models, const std::string& path,
            Texts unsaved, Diagnostics& diagnostics);

  /// Null where it has errors.
  const std::shared_ptr<const Chart>& chart() const { return chart_; }
  /// Null where it cannot be read.
  AbsentSystem* system() const { return system_.get(); }

 private:
  std::shared_ptr<const FolderFiles> files_;
  std::unique_ptr<AbsentSystem> system_;
  std::shared_ptr<const Chart> chart_;
};

}  // namespace davit
