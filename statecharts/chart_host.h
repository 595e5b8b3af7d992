#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "expressions/expression_host.h"
#include "statecharts/chart_event.h"

namespace davit {

class FileSource;

/// The system around a chart, as the chart uses it. While a chart is loaded, its names are resolved to
/// handles; in a step only handles are used, and no function may allocate. A signal's name is a short name of
/// the chart's own component or a path.
class ChartHost : public ExpressionHost {
 public:
  /// A value that the chart may set.
  virtual std::optional<Found> FindProperty(std::string_view path, SymbolTable& symbols) = 0;
  /// Whether a target that neither FindMessage nor FindReceiver finds is a fault; else it may be one of
  /// SCXML.
  virtual bool knows_receivers() const { return true; }
  /// A message of a component. Looked for before FindReceiver.
  virtual std::optional<std::uint32_t> FindMessage(std::string_view component, std::string_view message) = 0;
  /// What takes the events that are sent to a component: another chart.
  virtual std::optional<std::uint32_t> FindReceiver(std::string_view /*component*/) { return std::nullopt; }

  /// Where the files come from that the chart names; null: the disk.
  virtual const FileSource* files() const { return nullptr; }

  /// The value at this step point; called once a step for each signal, before any chart runs.
  virtual double ReadSignal(std::uint32_t handle) const = 0;
  /// Asks for a value; it takes effect before the next step. False where it is refused: out of range.
  virtual bool WriteProperty(std::uint32_t handle, double value) = 0;
  /// Of the item that a signal is; for logs.
  virtual std::string PathOf(std::uint32_t /*signal*/) const { return {}; }
  /// Sends a message; it arrives before the next step.
  virtual void SendMessage(std::uint32_t handle) = 0;
  /// Sends an event, which arrives at the next step point. False where there is no room for it.
  virtual bool SendEvent(std::uint32_t /*handle*/, Event&& /*event*/) { return false; }
};

}  // namespace davit
