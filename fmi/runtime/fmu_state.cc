#include "fmi/runtime/fmu_state.h"

#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace davit {
namespace {

constexpr std::string_view kMagic = "davit FMU state 4\n";

class StateWriter {
 public:
  template <class T>
  void Number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    bytes_.append(bytes, sizeof value);
  }
  void Text(std::string_view text) {
    Number<std::uint64_t>(text.size());
    bytes_.append(text);
  }
  std::string Take() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T Number() {
    T value{};
    const std::string_view bytes = Take(sizeof value);
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
  }
  std::string_view Text() { return Take(Number<std::uint64_t>()); }
  bool is_at_end() const { return rest_.empty(); }

 private:
  std::string_view Take(std::uint64_t size) {
    if (size > rest_.size()) throw std::invalid_argument("the state is cut off; give all bytes of it");
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace

std::string FmuState::Serialize() const {
  StateWriter writer;
  writer.Text(kMagic);
  writer.Text(token);
  writer.Number(static_cast<std::uint8_t>(phase));
  writer.Number(static_cast<std::uint8_t>(kind));
  writer.Number<std::uint8_t>(experiment ? 1 : 0);
  const FmuExperiment chosen = experiment.value_or(FmuExperiment{});
  writer.Number(chosen.start);
  writer.Number(chosen.stop.value_or(std::numeric_limits<double>::quiet_NaN()));
  writer.Number(chosen.tolerance);
  writer.Number<std::uint64_t>(settings.numbers.size());
  for (const auto& [variable, value] : settings.numbers) {
    writer.Number(variable);
    writer.Number(value);
  }
  writer.Number<std::uint64_t>(settings.texts.size());
  for (const auto& [variable, text] : settings.texts) {
    writer.Number(variable);
    writer.Text(text);
  }
  writer.Number<std::uint64_t>(events.size());
  for (const auto& [variable, count] : events) {
    writer.Number(variable);
    writer.Number(count);
  }
  writer.Number<std::uint64_t>(ramps.size());
  for (const auto& [variable, ramp] : ramps) {
    writer.Number(variable);
    for (const double term : ramp) writer.Number(term);
  }
  writer.Number<std::uint8_t>(has_ended ? 1 : 0);
  writer.Number(continuous.time);
  writer.Number<std::uint64_t>(continuous.states.size());
  for (const double state : continuous.states) writer.Number(state);
  writer.Number<std::uint8_t>(continuous.has_changed_states ? 1 : 0);
  writer.Number<std::uint8_t>(continuous.is_terminated ? 1 : 0);
  writer.Number(continuous.wanted_step_point);
  writer.Text(snapshot);
  return std::move(writer).Take();
}

FmuState FmuState::Deserialize(std::string_view bytes, std::string_view token) {
  StateReader reader(bytes);
  if (reader.Text() != kMagic) throw std::invalid_argument("these bytes are not a state of an FMU of davit");
  if (reader.Text() != token)
    throw std::invalid_argument("the state belongs to another FMU; restore it in the one that wrote it");
  FmuState state;
  state.token = token;
  state.phase = static_cast<FmuPhase>(reader.Number<std::uint8_t>());
  state.kind = static_cast<FmuKind>(reader.Number<std::uint8_t>());
  const bool has_experiment = reader.Number<std::uint8_t>() != 0;
  FmuExperiment chosen;
  chosen.start = reader.Number<double>();
  const double stop = reader.Number<double>();
  if (stop == stop) chosen.stop = stop;
  chosen.tolerance = reader.Number<double>();
  if (has_experiment) state.experiment = chosen;
  for (auto count = reader.Number<std::uint64_t>(); count > 0; --count) {
    const auto variable = reader.Number<std::uint32_t>();
    state.settings.numbers[variable] = reader.Number<double>();
  }
  for (auto count = reader.Number<std::uint64_t>(); count > 0; --count) {
    const auto variable = reader.Number<std::uint32_t>();
    state.settings.texts[variable] = reader.Text();
  }
  for (auto count = reader.Number<std::uint64_t>(); count > 0; --count) {
    const auto variable = reader.Number<std::uint32_t>();
    state.events[variable] = reader.Number<double>();
  }
  for (auto count = reader.Number<std::uint64_t>(); count > 0; --count) {
    FmuRamp& ramp = state.ramps[reader.Number<std::uint32_t>()];
    for (double& term : ramp) term = reader.Number<double>();
  }
  state.has_ended = reader.Number<std::uint8_t>() != 0;
  state.continuous.time = reader.Number<double>();
  for (auto count = reader.Number<std::uint64_t>(); count > 0; --count)
    state.continuous.states.push_back(reader.Number<double>());
  state.continuous.has_changed_states = reader.Number<std::uint8_t>() != 0;
  state.continuous.is_terminated = reader.Number<std::uint8_t>() != 0;
  state.continuous.wanted_step_point = reader.Number<double>();
  state.snapshot = reader.Text();
  const bool is_of_other_kind =
      state.phase == (state.kind == FmuKind::kCoSimulation ? FmuPhase::kContinuous : FmuPhase::kStep);
  const bool has_run = state.phase >= FmuPhase::kStep;
  if (state.phase > FmuPhase::kTerminated || state.kind > FmuKind::kModelExchange || is_of_other_kind ||
      has_run == state.snapshot.empty())
    throw std::invalid_argument("the state is damaged; save it again");
  if (!reader.is_at_end())
    throw std::invalid_argument("the state is longer than it should be; save it again");
  return state;
}

}  // namespace davit
