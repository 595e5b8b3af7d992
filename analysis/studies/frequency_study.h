#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/frequency/frequency_run.h"
#include "analysis/studies/study.h"

namespace davit {

struct FrequencyStudyOptions : StudyOptions {
  std::string input = {};
  std::vector<std::string> outputs = {};
  std::optional<VariationText> from = {}, to = {}, amplitude = {};
  std::optional<VariationText> at = {};  ///< when the excitation begins; nothing: at StartTime
  std::uint64_t points = 20;
  bool is_multisine = false;
  std::uint64_t settle = 3, periods = 4;
  std::optional<std::filesystem::path> table = {}, bode = {};
};

/// The frequency response of the running nonlinear model (MeasureFrequencies), with its table and its Bode
/// diagram. The table has each frequency as soon as it is measured.
class FrequencyStudy final : public Study {
 public:
  explicit FrequencyStudy(FrequencyStudyOptions given = {}) : Study(options), options(std::move(given)) {}
  static const StudyKind& Kind();
  const StudyKind& kind() const override { return Kind(); }
  StudyFacts Facts() const override;
  void WriteNoFiles() override { options.table = options.bode = std::nullopt; }
  const MeasuredResponse& result() const { return measured_; }

  FrequencyStudyOptions options;

 protected:
  void CheckOptions() override;
  void Execute(const StudyCalls& calls) override;
  bool is_divided() const override { return false; }

 private:
  void WriteTable() const;
  void Draw() const;

  FrequencyOptions run_;
  MeasuredResponse measured_;
};

}  // namespace davit
