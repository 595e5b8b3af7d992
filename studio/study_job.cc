#include "studio/study_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "analysis/studies/study_file.h"
#include "analysis/studies/study_summary.h"
#include "framework/exception_text.h"
#include "framework/nearest_name.h"
#include "server/wall_time.h"
#include "studio/check_system.h"
#include "studio/freed_memory.h"

namespace davit {

namespace fs = std::filesystem;

std::string FaultOfStudyFile(const Folder& folder, const fs::path& file) {
  static constexpr std::array<std::string_view, 9> kEndings{".csv", ".h5",  ".mat",   ".json", ".svg",
                                                            ".png", ".xml", ".scxml", ".state"};
  const std::optional<std::string> path = folder.Find(file);
  std::error_code ignored;
  const bool is_inside = path &&
                         fs::weakly_canonical(folder.root() / *path, ignored) == folder.root() / *path &&
                         !fs::is_symlink(fs::symlink_status(folder.root() / *path, ignored));
  if (!is_inside)
    return fmt::format(
        "{} lies outside of the folder that is edited, or is a link; name a file of the folder",
        Quoted(file.string()));
  const fs::path own(*path);
  const bool is_hidden =
      std::ranges::any_of(own, [](const fs::path& part) { return part.string().starts_with('.'); });
  if (!is_hidden && std::ranges::find(kEndings, own.extension().string()) != kEndings.end()) return {};
  return fmt::format("{} is not a file that the studio lets studies use; name for example {}", Quoted(*path),
                     Quoted(own.stem().string() + ".csv"));
}

StudyJob::StudyJob(std::shared_ptr<const StudioContext> context, StudyJobOptions options, int number)
    : context_(std::move(context)),
      options_(std::move(options)),
      number_(number),
      state_{{"study", number},
             {"path", options_.path},
             {"place", options_.place},
             {"status", "loading"},
             {"started", WallTime()},
             {"done", 0},
             {"all", 0},
             {"what", ""},
             {"failure", ""},
             {"warnings", Json::array()}} {}

Json StudyJob::Describe() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

std::optional<Json> StudyJob::Prepare() {
  const Folder& folder = *context_->folder;
  Diagnostics diagnostics;
  const FolderFiles files(context_->folder, options_.unsaved);
  std::vector<std::unique_ptr<Study>> studies =
      LoadStudies(folder.root() / options_.path, options_.is_resumed, diagnostics,
                  {.files = &files,
                   .fault_of = [&folder](const fs::path& file) { return FaultOfStudyFile(folder, file); }});
  if (!diagnostics.has_errors() && options_.place >= studies.size())
    diagnostics.Error({std::make_shared<const std::string>(options_.path), 0}, {},
                      fmt::format("it has {} studies, and none at place {}", studies.size(), options_.place));
  if (diagnostics.has_errors()) return FaultsToJson(diagnostics, folder);
  study_ = std::move(studies[options_.place]);
  StudyOptions& options = study_->shared();
  const std::optional<std::string> path = folder.Find(options.system.lexically_normal());
  edited_ =
      std::make_unique<EditedSystem>(context_->folder, context_->models,
                                     path.value_or(options.system.string()), options_.unsaved, diagnostics);
  if (!edited_->is_readable() || diagnostics.has_errors()) return FaultsToJson(diagnostics, folder);
  options.system = edited_->file();
  options.text = edited_->text();
  edited_->SetLoadOptions(options.simulation.load);
  options.workers = options_.workers;
  study_->Check(edited_->registry(), diagnostics);
  if (diagnostics.has_errors()) return FaultsToJson(diagnostics, folder);
  ShowBegin(study_->kind().name, path.value_or(""));
  return std::nullopt;
}

void StudyJob::ShowBegin(std::string_view kind, const std::string& system) {
  const std::lock_guard lock(mutex_);
  state_["kind"] = kind;
  state_["system"] = system;
  state_["status"] = "running";
}

void StudyJob::ShowProgress(std::uint64_t done, std::uint64_t all, const std::string& what) {
  const std::lock_guard lock(mutex_);
  state_["done"] = done;
  state_["all"] = all;
  state_["what"] = what;
}

void StudyJob::ShowEnd(Json found, const std::string& failure, const std::vector<std::string>& warnings) {
  const std::lock_guard lock(mutex_);
  state_["found"] = std::move(found);
  state_["failure"] = InFolder(failure, *folder());
  state_["warnings"] = Json::array();
  for (const std::string& warning : warnings) state_["warnings"].push_back(InFolder(warning, *folder()));
  state_["status"] = stop_.stop_requested() ? "stopped" : failure.empty() ? "done" : "failed";
}

void StudyJob::Execute() {
  std::string failure;
  try {
    study_->Run({.stop = stop_.get_token(),
                 .progress = [this](std::uint64_t done, std::uint64_t all, const std::string& what) {
                   ShowProgress(done, all, what);
                 }});
    failure = study_->fault();
  } catch (const std::exception& fault) {
    failure = Explain(fault);
  }
  Json found;
  if (study_->has_result()) {
    StudyFacts facts = study_->Facts();
    // A table is a file.
    std::erase_if(facts,
                  [](const auto& fact) { return std::holds_alternative<StudyTableFacts>(fact.second); });
    found = Json::parse(SummaryText(facts));
  }
  ShowEnd(std::move(found), failure, study_->warnings());
}

void StudyJob::Drive(const Begun& begun) {
  std::optional<Json> faults;
  try {
    faults = Prepare();
  } catch (const std::exception& fault) {  // no memory
    faults = Json::array({{{"file", options_.path},
                           {"line", 0},
                           {"path", ""},
                           {"severity", "error"},
                           {"text", Explain(fault)},
                           {"remedy", ""}}});
  }
  begun(faults);
  if (!faults) Execute();
  study_.reset();
  edited_.reset();
  ReturnFreedMemory();
  has_ended_ = true;
}

}  // namespace davit
