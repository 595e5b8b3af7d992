#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "fmi/import/foreign_fmu.h"
#include "framework/archive.h"

namespace davit {

template <class T>
void Ship(Archive& archive, T& value) {
  if constexpr (requires { archive.List(value); }) {
    archive.List(value);
  } else {
    archive(value);
  }
}
inline void Ship(Archive& archive, std::optional<double>& value) {
  bool has_value = value.has_value();
  double number = value.value_or(0);
  archive(has_value, number);
  value = has_value ? std::optional(number) : std::nullopt;
}

/// How an argument of type T of a function of ForeignFmu goes to another process, and what comes back.
template <class T>
struct FmuCargo {
  using Value = std::remove_cvref_t<T>;
  static Value Pack(const Value& argument) { return argument; }
  static Value& Unpack(Value& value) { return value; }
  static void SendBack(Archive& /*reply*/, Value& /*value*/) {}
  static void TakeBack(Archive& /*reply*/, const Value& /*argument*/) {}
};

template <class T>
struct FmuCargo<std::span<T>> {
  using Value = std::vector<double>;
  static Value Pack(std::span<T> argument) { return {argument.begin(), argument.end()}; }
  static std::span<T> Unpack(Value& value) { return value; }
  static void SendBack(Archive& reply, Value& value) {
    if constexpr (!std::is_const_v<T>) reply.List(value);
  }
  static void TakeBack(Archive& reply, std::span<T> argument) {
    if constexpr (!std::is_const_v<T>) {
      Value value;
      reply.List(value);
      if (value.size() != argument.size()) return reply.Refuse("a list has another length");
      std::ranges::copy(value, argument.begin());
    }
  }
};

template <>
struct FmuCargo<bool*> {
  using Value = bool;
  static Value Pack(const bool* argument) { return *argument; }
  static bool* Unpack(Value& value) { return &value; }
  static void SendBack(Archive& reply, Value& value) { reply(value); }
  static void TakeBack(Archive& reply, bool* argument) { reply(*argument); }
};

/// A call of a function of ForeignFmu from one process to another.
template <auto function>
struct FmuCall;
template <class Answer, class... Arguments, Answer (ForeignFmu::*function)(Arguments...)>
struct FmuCall<function> {
  using Result = Answer;
  using Cargo = std::tuple<typename FmuCargo<Arguments>::Value...>;

  /// `exchange` takes the bytes of the request and gives the archive of the reply.
  template <class Exchange>
  static Answer Ask(std::uint8_t number, const Exchange& exchange, Arguments... arguments) {
    Archive request;
    request(number);
    Cargo cargo{FmuCargo<Arguments>::Pack(arguments)...};
    std::apply([&](auto&... values) { (Ship(request, values), ...); }, cargo);
    Archive reply = exchange(request.Take());
    const auto finish = [&] {
      (FmuCargo<Arguments>::TakeBack(reply, arguments), ...);
      if (!reply.is_good()) throw FmuFailure("its process sent an invalid reply");
    };
    if constexpr (std::is_void_v<Answer>) {
      finish();
    } else {
      Answer answer{};
      Ship(reply, answer);
      finish();
      return answer;
    }
  }

  static void Serve(ForeignFmu& fmu, Archive& request, Archive& reply) {
    Cargo cargo;
    const auto call = [&](auto&... values) {
      (Ship(request, values), ...);
      if (!request.is_good()) throw FmuFailure("its process received an invalid request");
      if constexpr (std::is_void_v<Answer>) {
        (fmu.*function)(FmuCargo<Arguments>::Unpack(values)...);
      } else {
        Answer answer = (fmu.*function)(FmuCargo<Arguments>::Unpack(values)...);
        Ship(reply, answer);
      }
      (FmuCargo<Arguments>::SendBack(reply, values), ...);
    };
    std::apply(call, cargo);
  }
};

/// The functions that can be called; requests have their numbers.
template <auto... functions>
struct FmuCallList {
  static constexpr std::array kServe{&FmuCall<functions>::Serve...};
  template <auto function>
  static constexpr std::uint8_t NumberOf() {
    std::uint8_t number = 0;
    static_cast<void>(
        ((&FmuCall<functions>::Serve == &FmuCall<function>::Serve || (++number, false)) || ...));
    return number;
  }
};

using FmuCalls =
    FmuCallList<&ForeignFmu::Configure, &ForeignFmu::SetValues, &ForeignFmu::GetValues, &ForeignFmu::SetText,
                &ForeignFmu::EnterInitialization, &ForeignFmu::ExitInitialization,
                &ForeignFmu::SetInputDerivatives, &ForeignFmu::DoStep, &ForeignFmu::EnterEventMode,
                &ForeignFmu::UpdateDiscreteStates, &ForeignFmu::EnterContinuousTime, &ForeignFmu::SetPoint,
                &ForeignFmu::GetDerivatives, &ForeignFmu::GetDirectionalDerivatives, &ForeignFmu::GetStates,
                &ForeignFmu::GetNominals, &ForeignFmu::GetIndicators, &ForeignFmu::CompleteStep,
                &ForeignFmu::SaveState, &ForeignFmu::LoadState, &ForeignFmu::TakeLog>;

}  // namespace davit
