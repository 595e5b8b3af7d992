#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace davit {

/// How a run shows that something is wrong. docs/troubleshooting.md has a section for each.
enum class Symptom : std::uint8_t {
  kDiverged,
  kStepSize,
  kNoProgress,
  kChattering,
  kInconsistentStart,
  kAlgebraicLoop,
  kRealTimeMissed,
  kHighPressure,
};

/// The anchors of the sections, in the order of Symptom.
inline constexpr std::array<std::string_view, 8> kSymptomAnchors{
    "diverged",           "step-size",      "no-progress",      "chattering",
    "inconsistent-start", "algebraic-loop", "real-time-missed", "high-pressure"};

/// The end of a message, which names the section: `; see docs/troubleshooting.md#step-size`.
std::string SeeSection(Symptom symptom);

}  // namespace davit
