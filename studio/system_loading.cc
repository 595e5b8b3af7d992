#include "studio/system_loading.h"

#include <utility>

namespace davit {
namespace {

/// Without the path of the folder.
std::string InFolder(std::string text, const std::string& root) {
  for (std::size_t at = 0; (at = text.find(root, at)) != std::string::npos;) text.erase(at, root.size());
  return text;
}

}  // namespace

EditedSystem::EditedSystem(std::shared_ptr<const Folder> folder, const StudioModels& models,
                           const std::string& path, Texts unsaved, Diagnostics& diagnostics)
    : file_(folder->root() / path), registry_(models.registry), reason_to_stop_(models.reason_to_stop) {
  files_ = std::make_shared<const FolderFiles>(std::move(folder), std::move(unsaved));
  TextResult read = files_->Read(file_, "system file");
  if (!read.fault.empty()) {
    diagnostics.Error({std::make_shared<const std::string>(file_.string()), 0}, {}, read.fault);
    return;
  }
  text_ = std::move(read.text);
  is_readable_ = true;
  if (models.add_models_of) models.add_models_of(file_, *files_, registry_, diagnostics);
}

void AddAll(const Diagnostics& from, Diagnostics& to) {
  for (const Diagnostic& d : from.all())
    d.severity == Severity::kError ? to.Error(d.location, d.path, d.message)
                                   : to.Warning(d.location, d.path, d.message);
}

std::vector<StudioFault> ListFaults(const Diagnostics& diagnostics, const Folder& folder) {
  const std::string root = folder.root().string() + '/';
  std::vector<StudioFault> faults;
  for (const Diagnostic& diagnostic : diagnostics.SortedByPlace()) {
    StudioFault fault;
    const std::string file = diagnostic.location.file == nullptr ? std::string() : *diagnostic.location.file;
    // Includes are named as they were written: boom/../mast.xml.
    fault.file = file.starts_with(root) ? folder.Find(file).value_or(file) : file;
    fault.line = diagnostic.location.line;
    fault.path = diagnostic.path.starts_with('/') ? diagnostic.path.substr(1) : diagnostic.path;
    fault.is_error = diagnostic.severity == Severity::kError;
    fault.text = InFolder(diagnostic.message, root);
    if (const std::size_t end = fault.text.find("; "); end != std::string::npos) {
      fault.remedy = fault.text.substr(end + 2);
      fault.text.resize(end);
    }
    faults.push_back(std::move(fault));
  }
  return faults;
}

}  // namespace davit
