#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fmi/import/fmu_value_list.h"
#include "framework/archive.h"

namespace davit {

/// What a process asks another one to do with its FMU: the functions of ForeignFmu.
enum class FmuRequest : std::uint8_t {
  kMake,
  kConfigure,
  kSetValues,
  kGetValues,
  kSetText,
  kEnterInitialization,
  kExitInitialization,
  kSetInputDerivatives,
  kDoStep,
  kEnterEventMode,
  kUpdateDiscreteStates,
  kEnterContinuousTime,
  kSetPoint,
  kGetDerivatives,
  kGetDirectionalDerivatives,
  kGetStates,
  kGetNominals,
  kGetIndicators,
  kCompleteStep,
  kSaveState,
  kLoadState,
  kTakeLog
};

/// Messages over a socket: 8 bytes of length, lowest first, then as many bytes.
class FmuChannel {
 public:
  /// Closes the socket at its end.
  explicit FmuChannel(int socket) : socket_(socket) {}
  ~FmuChannel();
  FmuChannel(const FmuChannel&) = delete;
  FmuChannel& operator=(const FmuChannel&) = delete;

  /// False where the other side is gone.
  bool Send(const std::string& bytes);
  /// Nothing where the other side is gone.
  std::optional<std::string> Receive();

 private:
  int socket_;
};

/// A list of variables, both ways.
void ArchiveList(Archive& archive, FmuValueList& list);

/// Numbers of any count.
inline void ArchiveNumbers(Archive& archive, std::vector<double>& numbers) { archive.List(numbers); }

}  // namespace davit
