#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/studies/study_facts.h"
#include "analysis/studies/study_names.h"
#include "analysis/studies/study_option.h"
#include "analysis/study/case_list.h"
#include "analysis/study/case_runner.h"
#include "analysis/study/study_calls.h"
#include "results/gnuplot_script.h"
#include "session/output_paths.h"

namespace davit {

class Study;

/// A kind of study with all that front ends say about it.
struct StudyKind : StudyName {
  std::vector<StudyOption> options;
  std::unique_ptr<Study> (*make)() = nullptr;

  const StudyOption& Get(std::string_view option) const;
};

/// A study: a system that is run many times. Results are values of the derived class; tables and pictures
/// that the options name are written as well.
///
/// Call sequence: set the options, Check once, and after a Check without errors Run once.
class Study {
 public:
  virtual ~Study() = default;
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;

  virtual const StudyKind& kind() const = 0;
  StudyOptions& shared() { return shared_; }
  const StudyOptions& shared() const { return shared_; }

  /// Loads the system and looks up all that the options name. All that is wrong goes to `diagnostics`.
  /// `registry` must outlive the study.
  void Check(const Registry& registry, Diagnostics& diagnostics);
  /// Runs all cases; in a process of a parallel job that is not rank 0, those that rank 0 hands out.
  /// Throws OutputFailure and other exceptions that say why the study has failed.
  void Run(const StudyCalls& calls);

  /// Leaves the tables and pictures that the options name unwritten.
  virtual void WriteNoFiles() = 0;

  /// Whether a case has run: before, an output that cannot be written is wrong input.
  bool has_run() const { return has_run_; }
  /// Pre: has_result.
  virtual StudyFacts Facts() const = 0;
  /// Whether Run has found a result, which it may have before it fails to write it.
  bool has_result() const { return has_result_; }
  /// Why there is none, where the values that the user gave do not run; empty where nothing is wrong.
  const std::string& fault() const { return fault_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  unsigned workers() const;

 protected:
  /// `shared`: the options of the derived class.
  explicit Study(StudyOptions& shared) : shared_(shared) {}

  virtual void CheckOptions() = 0;
  virtual void Execute(const StudyCalls& calls) = 0;
  /// Whether other ranks run cases, too.
  virtual bool is_divided() const { return true; }
  /// Whether it needs a system that starts by itself.
  virtual bool needs_start() const { return true; }
  /// Runs cases for rank 0.
  virtual void Serve();

  System& tree() const { return simulation_->system(); }
  const Registry& registry() const { return *registry_; }
  Diagnostics& diagnostics() { return *diagnostics_; }
  /// Whether this process only runs cases for rank 0.
  bool serves_others() const;

  /// An option as the user writes it, alone or with an example.
  std::string Spell(std::string_view option, std::string_view example = {}) const;
  /// Where the value of an option comes from.
  SourceLocation PlaceOf(std::string_view option, std::string_view value) const;
  /// A quantity of the dimension of `unit`, in SI; nothing where none is given, or after an error.
  std::optional<double> ReadQuantity(const std::optional<VariationText>& given, std::string_view unit);
  /// The same; it must be above 0.
  std::optional<double> ReadPositive(const std::optional<VariationText>& given, std::string_view unit);
  /// What another pass has found: faults whose path is an option of the command line, `--input`, are those of
  /// this option as the user writes it.
  void AddFaultsOfOptions(const Diagnostics& found);
  /// What is wrong as a whole.
  void Fail(const std::string& text) { diagnostics_->Error(shared_.place, {}, text); }
  /// What is wrong with a file that an option names.
  void FailFile(std::string_view option, const std::filesystem::path& file, const std::string& text) {
    diagnostics_->Error(PlaceOf(option, file.string()), {}, text);
  }
  /// A file that the study writes. `named`: as the option names it. `is_checked_when_opened`: see OutputPath.
  void AddOutput(std::string_view option, const std::filesystem::path& named,
                 const std::filesystem::path& file, bool is_checked_when_opened = false);
  /// The same of an option that names a table (.csv), or a picture.
  void AddTable(std::string_view option, const std::filesystem::path& file);
  void AddPicture(std::string_view option, const std::filesystem::path& file);
  /// Checks the files that were added against those that the study reads, `tables` among them.
  void CheckOutputs(const std::vector<std::filesystem::path>& tables = {});

  /// NAME=EXPR as definitions; then those of `judge`.
  void ReadMeasures();
  /// The rows of a table that is continued; empty where there is none, or after an error. `noun`: `search`.
  std::map<std::uint64_t, std::string> ReadOldRows(const std::filesystem::path& table, std::string_view head,
                                                   std::string_view noun);
  /// Of the text `i/n`; nothing: all cases.
  Shard ReadShard(const std::optional<std::string>& text);
  std::string TitleOfPictures() const { return shared_.system.stem().string(); }

  CaseSetup setup_;
  std::unique_ptr<Simulation> simulation_;  ///< with which the first worker may begin
  bool has_run_ = false;
  bool has_result_ = false;
  std::string fault_;
  std::vector<std::string> warnings_;

 private:
  StudyOptions& shared_;
  const Registry* registry_ = nullptr;
  Diagnostics* diagnostics_ = nullptr;
  std::vector<OutputPath> outputs_;
};

/// By its ending.
PictureFormat FormatOf(const std::filesystem::path& picture);
/// Draws a script of gnuplot.
void WritePicture(const std::filesystem::path& file, const std::string& script);
void WriteText(const std::filesystem::path& file, std::string_view text);

}  // namespace davit
