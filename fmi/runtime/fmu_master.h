#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "fmi/runtime/fmu_instance.h"
#include "simulator/evaluation_failure.h"

namespace davit {

/// How a call ends: the numbers of fmi2Status and fmi3Status.
enum class FmuStatus : std::uint8_t { kOk, kWarning, kDiscard, kError };

/// Categories of the log, as modelDescription.xml declares them.
inline constexpr const char* kLogEvents = "logEvents";
inline constexpr const char* kLogWarnings = "logStatusWarning";
inline constexpr const char* kLogErrors = "logStatusError";
inline constexpr const char* kLogDiscards = "logStatusDiscard";

/// Throws std::invalid_argument where an array for some values is missing.
void RequireArray(const void* first, std::size_t count);
/// Writes numbers to an array of a master, which must have as many places.
void Fill(const std::vector<double>& values, double* to, std::size_t count);

/// An instance as its master calls it: what both versions of FMI share.
///
/// The function of a version calls Answer, and in that the functions below, which throw what FmuInstance
/// throws, and std::invalid_argument for arrays and states that are missing.
class FmuMaster {
 public:
  using Logger = std::function<void(FmuStatus status, const char* category, const std::string& text)>;

  /// What a master names when it makes an instance; null: it names nothing.
  struct Wish {
    const char* name = nullptr;
    const char* resources = nullptr;
    const char* token = nullptr;
  };

  FmuMaster(Logger logger, bool is_logging) : logger_(std::move(logger)), is_logging_(is_logging) {}

  /// Loads the system. False where that fails, which the log says.
  bool Load(const char* function, const Wish& wish, FmuKind kind);

  FmuInstance& instance() { return *instance_; }

  /// An error is told always; the rest as the master has asked for it.
  void Log(FmuStatus status, const char* category, const std::string& text) const;
  void SetLogging(bool is_on, std::size_t count, const char* const categories[]);

  /// Runs a call of the function named, which returns nothing or how it has ended. What it throws becomes a
  /// line of the log. Where equations cannot be evaluated, which a solver may have tried too far for, it is
  /// discarded: nothing has changed.
  template <class Call>
  FmuStatus Answer(const char* function, Call call) {
    try {
      if constexpr (std::is_void_v<std::invoke_result_t<Call, FmuInstance&>>) {
        call(*instance_);
        return FmuStatus::kOk;
      } else {
        return call(*instance_);
      }
    } catch (const EvaluationFailure& failure) {
      return Fail(function, failure.what(), instance_->phase() != FmuPhase::kError);
    } catch (const std::exception& fault) {
      return Fail(function, fault.what(), false);
    } catch (...) {
      return Fail(function, "an unknown exception", false);
    }
  }

  template <class Number>
  void Get(const std::uint32_t references[], std::size_t count, Number values[],
           std::initializer_list<FmuType> types) {
    RequireArray(references, count);
    RequireArray(values, count);
    for (std::size_t i = 0; i < count; ++i)
      values[i] = static_cast<Number>(instance_->Get(references[i], types));
  }
  /// All, or where one of them is refused, none.
  template <class Number>
  void Set(const std::uint32_t references[], std::size_t count, const Number values[],
           std::initializer_list<FmuType> types) {
    RequireArray(references, count);
    RequireArray(values, count);
    const bool is_condition = *types.begin() == FmuType::kBoolean;
    const auto number = [&](std::size_t i) {
      const auto value = static_cast<double>(values[i]);
      return is_condition && value != 0 ? 1 : value;
    };
    for (std::size_t i = 0; count > 1 && i < count; ++i) instance_->CheckSet(references[i], number(i), types);
    for (std::size_t i = 0; i < count; ++i) instance_->Set(references[i], number(i), types);
  }
  /// They are valid until the next call.
  void GetTexts(const std::uint32_t references[], std::size_t count, const char* values[]);
  void SetTexts(const std::uint32_t references[], std::size_t count, const char* const values[]);

  // States are given to the master as pointers to what fmu_master.cc alone knows.
  void SaveState(void** state);
  void LoadState(void* state);
  static void FreeState(void** state);
  static std::size_t SizeOfState(void* state);
  static void SerializeState(void* state, void* bytes, std::size_t size);
  void DeserializeState(const void* bytes, std::size_t size, void** state);

  void GetDirectionalDerivative(std::span<const std::uint32_t> unknowns,
                                std::span<const std::uint32_t> knowns, const double* seed, double* change);
  void GetOutputDerivatives(const std::uint32_t references[], std::size_t count, const int orders[],
                            double values[]);

 private:
  FmuStatus Fail(const char* function, const char* what, bool is_discarded) const;
  void TakeLine(RunLog::Severity severity, std::string_view line) const;

  Logger logger_;
  bool is_logging_;
  std::set<std::string, std::less<>> categories_;  ///< empty: all
  std::unique_ptr<FmuInstance> instance_;
  std::deque<std::string> texts_;  ///< what GetTexts gave
};

}  // namespace davit
