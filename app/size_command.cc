#include "app/size_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <numbers>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "app/exit_code.h"
#include "app/print_diagnostics.h"
#include "components/hydraulic/sizing.h"
#include "framework/diagnostics.h"
#include "framework/units/quantity.h"

namespace davit {
namespace {

constexpr double kMillimetre = 1e-3;
constexpr double kBar = 1e5;
constexpr double kLitrePerMinute = 1e-3 / 60;
constexpr double kCubicCentimetre = 1e-6;
constexpr double kKilo = 1e3;

/// Reads the options of one command; all faults are told together.
class SizeInput {
 public:
  /// A positive quantity of the dimension of `unit`.
  double Read(std::string_view option, std::string_view text, std::string_view unit) {
    const QuantityResult result = ParseQuantity(text, unit, units_);
    if (!result.value) {
      Fail(option, result.fault.ToText());
    } else if (!(result.value->si > 0)) {
      Fail(option, fmt::format("'{}' is not above 0; give a positive value", text));
    } else {
      return result.value->si;
    }
    return 1;
  }
  void Fail(std::string_view option, std::string_view fault) {
    diagnostics_.Error({}, option, std::string(fault));
  }
  /// Whether nothing was wrong; else it has been told.
  bool IsGood(std::ostream& err) const {
    PrintDiagnostics(diagnostics_, err);
    return !diagnostics_.has_errors();
  }

 private:
  UnitSystem units_;
  Diagnostics diagnostics_;
};

int Refuse(std::ostream& err, const std::string& message) {
  err << ToText(Diagnostic{.fault = ToFault(message)}) << '\n';
  return kWrongInput;
}

void PrintSizeRow(std::ostream& out, std::string_view name, double value, std::string_view unit,
                  std::string_view note) {
  std::string line = fmt::format("{:<14}{:>10.5g} {:<9} {}", name, value, unit, note);
  line.erase(line.find_last_not_of(' ') + 1);
  out << line << '\n';
}

}  // namespace

int RunSizeHose(const SizeHoseOptions& options, std::ostream& out, std::ostream& err) {
  SizeInput input;
  const double q = input.Read("--flow", options.flow, "m3/s");
  const double v = input.Read("--velocity", options.velocity, "m/s");
  const double p = input.Read("--pressure", options.pressure, "Pa");
  if (!input.IsGood(err)) return kWrongInput;
  const std::optional<HoseChoice> choice = ChooseHose(q, v, p);
  if (!choice) {
    return Refuse(err,
                  fmt::format("no hose of the table is rated for {:.5g} bar; the strongest for {:.5g} bar",
                              p / kBar, LargestHosePressure() / kBar));
  }
  out << fmt::format("for {:.5g} l/min at {:.5g} m/s and {:.5g} bar\n", q / kLitrePerMinute, v, p / kBar);
  PrintSizeRow(out, "needed bore", choice->bore / kMillimetre, "mm", "sqrt(4*flow/(pi*velocity))");
  out << fmt::format("{:<14}{:>10}\n", "size", choice->size);
  if (choice->count > 1)
    PrintSizeRow(out, "in parallel", choice->count, "", "one hose rated for the pressure is too small");
  PrintSizeRow(out, "inner diameter", choice->data.inner_diameter / kMillimetre, "mm", "");
  PrintSizeRow(out, "velocity", choice->velocity, "m/s", "");
  PrintSizeRow(out, "operating", choice->data.operating_pressure / kBar, "bar",
               "largest pressure in operation");
  PrintSizeRow(out, "rupture", choice->data.rupture_pressure / kBar, "bar", "");
  PrintSizeRow(out, "bend radius", choice->data.least_bend_radius / kMillimetre, "mm", "at least");
  out << fmt::format("<hydraulic.Hose name=\"hose\" size=\"{}\"/>\n", choice->size);
  return kDone;
}

int RunSizePump(const SizePumpOptions& options, std::ostream& out, std::ostream& err) {
  SizeInput input;
  const double q = input.Read("--flow", options.flow, "m3/s");
  const double omega = input.Read("--speed", options.speed, "rad/s");
  const double p = input.Read("--pressure", options.pressure, "Pa");
  if (!input.IsGood(err)) return kWrongInput;
  const std::optional<PumpChoice> choice = ChoosePump(q, omega, p, options.is_closed_circuit);
  if (!choice) {
    return Refuse(err,
                  fmt::format("no pump of the table gives {:.5g} l/min at {:.5g} bar and {:.5g} rpm; raise "
                              "the speed, or take several pumps",
                              q / kLitrePerMinute, p / kBar, omega * 30 / std::numbers::pi));
  }
  out << fmt::format(
      "for {:.5g} l/min at {:.5g} rpm and {:.5g} bar; limits of pressure and speed are not checked\n",
      q / kLitrePerMinute, omega * 30 / std::numbers::pi, p / kBar);
  constexpr double kRevolution = 2 * std::numbers::pi;
  PrintSizeRow(out, "displacement", choice->displacement * kRevolution / kCubicCentimetre, "cm3/rev",
               "flow/speed, without leakage");
  out << fmt::format("{:<14}{:>10}\n", "model", choice->model);
  PrintSizeRow(out, "flow", choice->at.q / kLitrePerMinute, "l/min", "at the pressure");
  PrintSizeRow(out, "torque", choice->at.T, "N.m", "at the shaft");
  PrintSizeRow(out, "power", choice->at.T * omega / kKilo, "kW", "at the shaft");
  PrintSizeRow(out, "volumetric", choice->at.volumetric, "", "efficiency");
  PrintSizeRow(out, "total", choice->at.Total(), "", "efficiency");
  out << fmt::format("<hydraulic.AxialPistonPump name=\"pump\" model=\"{}\" speed=\"{}\"/>\n", choice->model,
                     options.speed);
  return kDone;
}

int RunSizeCylinder(const SizeCylinderOptions& options, std::ostream& out, std::ostream& err) {
  SizeInput input;
  const double F = input.Read("--force", options.force, "N");
  const double p = input.Read("--pressure", options.pressure, "Pa");
  const double speed = input.Read("--speed", options.speed, "m/s");
  if (!(options.friction_ratio >= 0 && options.friction_ratio < 1)) {
    input.Fail("--friction-ratio", "is not in 0 .. 1; write for example 0.05");
  }
  if (!(options.area_ratio > 1)) input.Fail("--area-ratio", "is not above 1; write for example 1.7");
  if (!input.IsGood(err)) return kWrongInput;
  const std::optional<CylinderChoice> choice =
      ChooseCylinder(F, p, options.friction_ratio, options.area_ratio, speed);
  if (!choice) {
    return Refuse(err,
                  fmt::format("no cylinder of the series (bore 25 to 500 mm) pushes with {:.5g} kN at {:.5g} "
                              "bar and has an area ratio of at most {:.5g}; raise the pressure or the ratio, "
                              "or take several cylinders",
                              F / 1e3, p / kBar, options.area_ratio));
  }
  out << fmt::format("for {:.5g} kN at {:.5g} bar and {:.5g} m/s\n", F / kKilo, p / kBar, speed);
  PrintSizeRow(out, "needed bore", choice->needed_bore / kMillimetre, "mm",
               "sqrt(4*force/(pi*pressure*(1 - friction)))");
  PrintSizeRow(out, "bore", choice->bore / kMillimetre, "mm", "");
  PrintSizeRow(out, "rod", choice->rod / kMillimetre, "mm",
               "thickest with this area ratio; buckling is not checked");
  PrintSizeRow(out, "area ratio", choice->area_ratio, "", "piston over ring");
  PrintSizeRow(out, "pressure", choice->pressure / kBar, "bar", "that the force takes");
  PrintSizeRow(out, "flow out", choice->flow_out / kLitrePerMinute, "l/min", "into A at the speed");
  PrintSizeRow(out, "flow in", choice->flow_in / kLitrePerMinute, "l/min", "into B at the speed");
  out << fmt::format("<hydraulic.Cylinder name=\"cylinder\" bore=\"{:g} mm\" rod=\"{:g} mm\"/>\n",
                     choice->bore / kMillimetre, choice->rod / kMillimetre);
  return kDone;
}

void AddSizeCommand(CLI::App& command, CommandContext& context) {
  command.require_subcommand(1);

  CLI::App& hose = *command.add_subcommand("hose", "The hoses for a flow, a velocity and a pressure");
  const auto of_hose = std::make_shared<SizeHoseOptions>();
  hose.add_option("--flow", of_hose->flow, "Largest flow, e.g. '60 l/min'")->required();
  hose.add_option("--velocity", of_hose->velocity, "Largest velocity of the oil")->capture_default_str();
  hose.add_option("--pressure", of_hose->pressure, "Largest pressure, e.g. '250 bar'")->required();
  hose.callback([&context, of_hose] { context.exit_code = RunSizeHose(*of_hose, context.out, context.err); });

  CLI::App& pump =
      *command.add_subcommand("pump", "The axial piston pump for a flow, a speed and a pressure");
  const auto of_pump = std::make_shared<SizePumpOptions>();
  pump.add_option("--flow", of_pump->flow, "Flow at the pressure, e.g. '60 l/min'")->required();
  pump.add_option("--speed", of_pump->speed, "Speed of the shaft")->capture_default_str();
  pump.add_option("--pressure", of_pump->pressure, "Pressure difference, e.g. '250 bar'")->required();
  pump.add_flag("--closed", of_pump->is_closed_circuit, "One that is made for closed circuits");
  pump.callback([&context, of_pump] { context.exit_code = RunSizePump(*of_pump, context.out, context.err); });

  CLI::App& cylinder = *command.add_subcommand("cylinder", "Bore and rod for a pushing force and a pressure");
  const auto of_cylinder = std::make_shared<SizeCylinderOptions>();
  cylinder.add_option("--force", of_cylinder->force, "Force of the rod, e.g. '100 kN'")->required();
  cylinder.add_option("--pressure", of_cylinder->pressure, "Pressure in A, e.g. '250 bar'")->required();
  cylinder.add_option("--speed", of_cylinder->speed, "Speed, for the flows")->capture_default_str();
  cylinder
      .add_option("--friction-ratio", of_cylinder->friction_ratio, "Share of the force that the seals take")
      ->capture_default_str();
  cylinder.add_option("--area-ratio", of_cylinder->area_ratio, "Largest ratio of piston area to ring area")
      ->capture_default_str();
  cylinder.callback([&context, of_cylinder] {
    context.exit_code = RunSizeCylinder(*of_cylinder, context.out, context.err);
  });
}

}  // namespace davit
