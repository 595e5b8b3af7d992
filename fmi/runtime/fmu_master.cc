#include "fmi/runtime/fmu_master.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "fmi/runtime/resource_path.h"

namespace davit {
namespace {

/// What a master holds as the state of an FMU.
///
/// The first member stays null: a master that frees the state itself and not the pointer to it, as fmusim
/// does, frees a null pointer then, and nothing happens.
struct StateHandle {
  void* null = nullptr;
  FmuState state;
};

FmuState& StateOf(void* handle) {
  if (handle == nullptr) throw std::invalid_argument("there is no state; save one first");
  return static_cast<StateHandle*>(handle)->state;
}

}  // namespace

void RequireArray(const void* first, std::size_t count) {
  if (count > 0 && first == nullptr) throw std::invalid_argument("an array is missing; give one");
}

void Fill(const std::vector<double>& values, double* to, std::size_t count) {
  RequireArray(to, count);
  if (count != values.size()) {
    throw std::invalid_argument(
        fmt::format("there are {} values, and the array has {} places", values.size(), count));
  }
  if (count > 0) std::memcpy(to, values.data(), count * sizeof(double));
}

bool FmuMaster::Load(const char* function, const Wish& wish, FmuKind kind) {
  try {
    if (wish.name == nullptr || *wish.name == 0)
      throw std::invalid_argument("the instance has no name; give it one");
    if (wish.resources == nullptr) {
      throw std::invalid_argument(
          "no place of the resources was given; give the folder `resources` of the unpacked FMU");
    }
    instance_ = std::make_unique<FmuInstance>(
        ReadResourcePath(wish.resources), kind,
        [this](RunLog::Severity severity, std::string_view line) { TakeLine(severity, line); });
    const std::string& token = instance_->manifest().token;
    if (wish.token != nullptr && token == wish.token) return true;
    throw std::invalid_argument(fmt::format(
        "the guid or instantiationToken is not that of this FMU, {}; modelDescription.xml and the binary "
        "must be of one export",
        token));
  } catch (const std::exception& fault) {
    Fail(function, fault.what(), false);
    return false;
  }
}

void FmuMaster::Log(FmuStatus status, const char* category, const std::string& text) const {
  if (logger_ == nullptr) return;
  const bool is_wanted =
      status >= FmuStatus::kError || (is_logging_ && (categories_.empty() || categories_.contains(category)));
  if (is_wanted) logger_(status, category, text);
}

void FmuMaster::SetLogging(bool is_on, std::size_t count, const char* const categories[]) {
  RequireArray(categories, count);
  const std::span chosen(categories, count);
  if (std::ranges::find(chosen, nullptr) != chosen.end())
    throw std::invalid_argument("a category is missing; give its name");
  is_logging_ = is_on;
  categories_ = {chosen.begin(), chosen.end()};
  if (categories_.contains("logAll")) categories_.clear();
}

FmuStatus FmuMaster::Fail(const char* function, const char* what, bool is_discarded) const {
  const FmuStatus status = is_discarded ? FmuStatus::kDiscard : FmuStatus::kError;
  Log(status, is_discarded ? kLogDiscards : kLogErrors, fmt::format("{}: {}", function, what));
  return status;
}

void FmuMaster::TakeLine(RunLog::Severity severity, std::string_view line) const {
  const bool is_error = severity == RunLog::Severity::kError;
  const bool is_warning = severity == RunLog::Severity::kWarning;
  // An error of the run is the answer of the call that meets it.
  Log(is_error || is_warning ? FmuStatus::kWarning : FmuStatus::kOk,
      is_error     ? kLogErrors
      : is_warning ? kLogWarnings
                   : kLogEvents,
      std::string(line));
}

void FmuMaster::GetTexts(const std::uint32_t references[], std::size_t count, const char* values[]) {
  RequireArray(references, count);
  RequireArray(values, count);
  texts_.clear();
  for (std::size_t i = 0; i < count; ++i)
    values[i] = texts_.emplace_back(instance_->GetText(references[i])).c_str();
}

void FmuMaster::SetTexts(const std::uint32_t references[], std::size_t count, const char* const values[]) {
  RequireArray(references, count);
  RequireArray(values, count);
  const std::span texts(values, count);
  if (std::ranges::find(texts, nullptr) != texts.end())
    throw std::invalid_argument("a text is missing; give one");
  for (std::size_t i = 0; count > 1 && i < count; ++i) instance_->CheckSetText(references[i], values[i]);
  for (std::size_t i = 0; i < count; ++i) instance_->SetText(references[i], values[i]);
}

void FmuMaster::SaveState(void** state) {
  RequireArray(state, 1);
  FmuState saved = instance_->SaveState();
  if (*state == nullptr) {
    *state = new StateHandle{nullptr, std::move(saved)};
  } else {
    StateOf(*state) = std::move(saved);
  }
}

void FmuMaster::LoadState(void* state) { instance_->LoadState(StateOf(state)); }

void FmuMaster::FreeState(void** state) {
  if (state == nullptr) return;
  delete static_cast<StateHandle*>(*state);
  *state = nullptr;
}

std::size_t FmuMaster::SizeOfState(void* state) { return StateOf(state).Serialize().size(); }

void FmuMaster::SerializeState(void* state, void* bytes, std::size_t size) {
  RequireArray(bytes, size);
  const std::string text = StateOf(state).Serialize();
  if (size < text.size())
    throw std::invalid_argument("there is too little room; ask for the size of the serialized state");
  std::memcpy(bytes, text.data(), text.size());
}

void FmuMaster::DeserializeState(const void* bytes, std::size_t size, void** state) {
  RequireArray(bytes, size);
  RequireArray(state, 1);
  const std::string_view text(static_cast<const char*>(bytes), size);
  // What the master has there is no state: other than SaveState, this always makes one.
  *state = new StateHandle{nullptr, FmuState::Deserialize(text, instance_->manifest().token)};
}

void FmuMaster::GetDirectionalDerivative(std::span<const std::uint32_t> unknowns,
                                         std::span<const std::uint32_t> knowns, const double* seed,
                                         double* change) {
  RequireArray(unknowns.data(), unknowns.size());
  RequireArray(knowns.data(), knowns.size());
  RequireArray(seed, knowns.size());
  RequireArray(change, unknowns.size());
  std::ranges::copy(instance_->DirectionalDerivative(unknowns, knowns, {seed, knowns.size()}), change);
}

void FmuMaster::GetOutputDerivatives(const std::uint32_t references[], std::size_t count, const int orders[],
                                     double values[]) {
  RequireArray(references, count);
  RequireArray(orders, count);
  RequireArray(values, count);
  std::ranges::copy(instance_->OutputDerivatives({references, count}, {orders, count}), values);
}

}  // namespace davit
