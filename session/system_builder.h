#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace davit {

class SystemDescription;

/// An attribute of an element: `{"mass", "5 t"}`, or a number in SI: `{"mass", 5000}`.
struct Attribute {
  Attribute(std::string_view attribute, std::string_view text) : name(attribute), value(text) {}
  Attribute(std::string_view attribute, const char* text) : name(attribute), value(text) {}
  /// With as many digits as give back the same double.
  template <class Number>
  requires std::is_arithmetic_v<Number> Attribute(std::string_view attribute, Number number)
      : name(attribute), value(ToText(static_cast<double>(number))) {}

  std::string name;
  std::string value;

 private:
  static std::string ToText(double number);
};

/// Builds a system in code: each call adds what the element of the same name says in a system file, with the
/// same names, units and checks. Simulation::Load makes a simulation of it; errors are reported then, with
/// the paths of components.
///
///     SystemBuilder builder("crane");
///     builder.Manager({{"TimeStep", "1 ms"}, {"StopTime", "2 s"}})
///         .Add("mechanical.Mass", "load", {{"mass", "5 t"}})
///         .Inside("load", "Start", {{"x", 0.1}})
///         .Record("load.*", {{"interval", "10 ms"}});
///
/// A part that is kept in a file is a component too: Add("Subsystem", "boom", {{"src", "boom.xml"}}); names
/// of files are relative to the folder in which the program runs. Throws std::invalid_argument where an
/// element is to go inside something that was not added before; nothing is added then.
class SystemBuilder {
 public:
  using Attributes = std::vector<Attribute>;

  explicit SystemBuilder(std::string_view name = "system");
  ~SystemBuilder();
  SystemBuilder(SystemBuilder&&) noexcept;
  SystemBuilder& operator=(SystemBuilder&&) noexcept;

  /// `<SimulatorManager>`: TimeStep, StartTime, StopTime, fs ... A second call sets further attributes.
  SystemBuilder& Manager(const Attributes& attributes);
  /// An `<Integration>` of the manager: solver, method, rtol, atol ...
  SystemBuilder& Integration(const Attributes& attributes);
  /// A component, such as `hydraulic.Volume`.
  SystemBuilder& Add(std::string_view model, std::string_view name, const Attributes& attributes = {});
  /// An element inside the component `name`: its `<Start>`, its `<Integration>`, items such as the `<State>`
  /// of a user.Equation.
  SystemBuilder& Inside(std::string_view name, std::string_view element, const Attributes& attributes);
  SystemBuilder& Connect(std::string_view from, std::string_view to);
  SystemBuilder& Route(std::string_view from, std::string_view to, const Attributes& attributes = {});
  /// `<At>`: a time with set and value, message and to, or event.
  SystemBuilder& At(const Attributes& attributes);
  /// `<Record>`: paths and globs, with interval or times.
  SystemBuilder& Record(std::string_view signals, const Attributes& attributes = {});

  /// What was added until now.
  std::shared_ptr<const SystemDescription> Describe() const;
  /// The system as the text of a system file.
  std::string ToXml() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace davit
