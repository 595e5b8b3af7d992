#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/studies/study.h"
#include "studio/json_text.h"
#include "studio/studio_context.h"

namespace davit {

/// What a study is asked for.
struct StudyJobOptions {
  std::string path;  ///< of the study file, seen from the folder
  Texts unsaved = {};
  std::size_t place = 0;                ///< of the study in its file
  bool is_resumed = false;              ///< keeps the rows of its table
  std::vector<std::string> cases = {};  ///< of a bench: those that run; none: all
  unsigned workers = 1;                 ///< cases at a time
};

/// A study of a study file, in a thread of its own. Files that it names must be in the folder; its table and
/// its pictures are those of `davit study`.
///
/// Call sequence: constructor; Drive, by that thread. Any thread may call the rest.
class StudyJob {
 public:
  /// Called once, by the thread that drives: the study runs, or `faults` say why not (JSON).
  using Begun = std::function<void(const std::optional<Json>& faults)>;

  StudyJob(std::shared_ptr<const StudioContext> context, StudyJobOptions options, int number);
  virtual ~StudyJob() = default;
  StudyJob(const StudyJob&) = delete;
  StudyJob& operator=(const StudyJob&) = delete;

  /// Checks the study and runs it. Throws nothing.
  void Drive(const Begun& begun);
  /// Gives up the cases that run; what has ended is in the table.
  void Stop() { stop_.request_stop(); }

  int number() const { return number_; }
  const StudyJobOptions& options() const { return options_; }
  bool has_ended() const { return has_ended_; }
  /// As GET /api/studies has it.
  Json Describe() const;

 protected:
  const StudioContext& context() const { return *context_; }
  const std::shared_ptr<const Folder>& folder() const { return context_->folder; }
  std::stop_token stop_token() const { return stop_.get_token(); }
  void set_system(std::unique_ptr<EditedSystem> edited) { edited_ = std::move(edited); }
  const EditedSystem& system() const { return *edited_; }
  void ShowBegin(std::string_view kind, const std::string& system);
  void ShowProgress(std::uint64_t done, std::uint64_t all, const std::string& what);
  void ShowEnd(Json found, const std::string& failure, const std::vector<std::string>& warnings);

 private:
  /// Loads and checks what is to be done. Faults, or nothing.
  virtual std::optional<Json> Prepare();
  virtual void Execute();

  const std::shared_ptr<const StudioContext> context_;
  const StudyJobOptions options_;
  const int number_;
  std::unique_ptr<EditedSystem> edited_;
  std::unique_ptr<Study> study_;
  std::stop_source stop_;
  std::atomic<bool> has_ended_ = false;
  mutable std::mutex mutex_;  ///< of state_
  Json state_;
};

/// Why a study of the folder may neither read nor write a file; empty where it may. Such files are in the
/// folder, reached without links, not hidden, and of a kind that studies have.
std::string FaultOfStudyFile(const Folder& folder, const std::filesystem::path& file);

}  // namespace davit
