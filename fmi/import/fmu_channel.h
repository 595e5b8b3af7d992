#pragma once

#include <cstdint>
#include <functional>
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
  /// Closes the socket at its end. While Send and Receive wait for the other side, they call `while_waiting`
  /// several times a second; what it throws ends the call.
  explicit FmuChannel(int socket, std::function<void()> while_waiting = {});
  ~FmuChannel();
  FmuChannel(const FmuChannel&) = delete;
  FmuChannel& operator=(const FmuChannel&) = delete;

  /// False where the other side is gone.
  bool Send(const std::string& bytes);
  /// Nothing where the other side is gone.
  std::optional<std::string> Receive();

 private:
  /// Whether a call that has failed is to be repeated.
  bool IsWaiting() const;

  int socket_;
  std::function<void()> while_waiting_;
};

/// A list of variables, both ways.
void ArchiveList(Archive& archive, FmuValueList& list);

/// Numbers of any count.
inline void ArchiveNumbers(Archive& archive, std::vector<double>& numbers) { archive.List(numbers); }

}  // namespace davit
