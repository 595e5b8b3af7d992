#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/registry.h"
#include "framework/tree/component_pool.h"
#include "statecharts/chart_host.h"

namespace davit {

/// The system around a chart that is looked at alone.
///
/// Paths such as `pump.speed` are taken for granted: they belong to a system that is not there. A short name
/// must be one of the chart itself, or, in a chart whose `name` is that of a model, of such a component.
/// Values are those of a component that has just been made, until SetValue; paths read 0, and what the chart
/// sets goes nowhere.
class AbsentSystem final : public ChartHost {
 public:
  /// `model` may be any text, an unknown one too.
  AbsentSystem(const Registry& registry, std::string_view model, const FileSource* files = nullptr);

  /// A component of the model; null where the chart is of none.
  const Component* component() const { return component_; }

  /// What the chart has asked for, each name once.
  struct Value {
    std::string path;
    ValueType type = ValueType::kNumber;
    double value = 0;                   ///< that the chart reads
    std::optional<double> wanted = {};  ///< what the chart has set last
  };
  std::vector<Value> ListValues() const;
  /// Gives a signal or a setting another value; false where the chart has none of this name.
  bool SetValue(std::string_view path, double value);

  std::optional<Found> FindSignal(std::string_view path, SymbolTable& symbols) override;
  std::optional<Found> FindProperty(std::string_view path, SymbolTable& symbols) override;
  std::optional<std::uint32_t> FindMessage(std::string_view /*component*/,
                                           std::string_view /*message*/) override {
    return std::nullopt;
  }
  bool knows_receivers() const override { return false; }
  std::string Suggest(std::string_view path) const override;
  double ReadSignal(std::uint32_t handle) const override { return values_[handle].value; }
  bool WriteProperty(std::uint32_t handle, double value) override {
    values_[handle].wanted = value;
    return true;
  }
  const FileSource* files() const override { return files_; }
  void SendMessage(std::uint32_t /*handle*/) override {}

 private:
  Found Add(std::string_view path, ValueType type, double value);
  std::vector<std::string> Names() const;

  ComponentPool pool_;
  const Component* component_ = nullptr;  ///< of the model; null where the chart is of none
  const FileSource* files_;
  std::vector<Value> values_;  ///< by handle
};

}  // namespace davit
