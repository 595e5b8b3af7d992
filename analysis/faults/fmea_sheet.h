#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace davit {

/// A hazard of a campaign.
struct FaultHazard {
  std::string name;
  std::string text;           ///< as it was given
  std::string unit = {};      ///< SI
  bool is_condition = false;  ///< its value is 1 if it ever held, else 0
  double usual = 0;           ///< without a fault
};

/// A row of the sheet.
struct FaultRow {
  std::string fault;
  std::string meaning = {};
  std::string detected_by = {};  ///< empty: nothing
  double detection_time = 0;     ///< [s]
  std::vector<double> hazards = {};
  std::string status = {}, message = {};

  bool is_detected() const { return !detected_by.empty(); }
  /// A condition holds that does not hold without a fault.
  bool is_hazardous(const std::vector<FaultHazard>& hazards_of_campaign) const;
};

/// The value of a hazard as people read it: `yes`, `262 bar`.
std::string HazardText(const FaultHazard& hazard, double value);

/// Failure mode and effects analysis as one page of HTML without scripts: each fault with its meaning, the
/// hazards next to those of the run without a fault, what has detected it and when. `conditions`: when the
/// faults happen, a sentence.
std::string MakeFmeaSheet(std::string_view title, std::string_view conditions,
                          const std::vector<FaultHazard>& hazards, const std::vector<FaultRow>& rows);

}  // namespace davit
