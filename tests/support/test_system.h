#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/system_harness.h"

namespace davit {

/// A number as it is written in a system file, so that the same double is read back.
std::string ToXml(double value);

/// The text of a system. `manager` and `integration` are attributes of these elements, `content` is the rest.
std::string SystemText(std::string_view manager, std::string_view integration, std::string_view content);

using TestRow = RecordedRow;

/// A system made from text, with the models of the tests too (test_models.h, dae_models.h,
/// solver_problems.h).
class TestSystem : public SystemHarness {
 public:
  explicit TestSystem(const std::string& text);
};

/// Everything that is wrong with a system, one text for each fault; empty when it can run.
std::vector<std::string> FaultsOf(const std::string& text);

}  // namespace davit
