#include "app/studies/analysis_input.h"

#include <fmt/format.h>

#include <ostream>
#include <string>

#include "app/print_diagnostics.h"
#include "framework/nearest_name.h"
#include "framework/units/quantity.h"
#include "session/output_paths.h"

namespace davit {

std::optional<double> AnalysisInput::ReadOptional(std::string_view option,
                                                  const std::optional<std::string>& text,
                                                  std::string_view unit) {
  if (!text) return std::nullopt;
  const QuantityResult result = ParseQuantity(*text, unit, units_);
  if (result.value) return result.value->si;
  Fail(option, result.fault.ToText());
  return std::nullopt;
}

std::optional<double> AnalysisInput::ReadPositive(std::string_view option,
                                                  const std::optional<std::string>& text,
                                                  std::string_view unit) {
  const std::optional<double> value = ReadOptional(option, text, unit);
  if (!value || *value > 0) return value;
  Fail(option, fmt::format("'{}' is not above 0; give a positive value", *text));
  return std::nullopt;
}

std::optional<PictureFormat> AnalysisInput::ReadPicture(std::string_view option,
                                                        const std::filesystem::path& file) {
  if (file.empty()) return std::nullopt;
  if (file.extension() == ".svg") return PictureFormat::kSvg;
  if (file.extension() == ".png") return PictureFormat::kPng;
  Fail(option, Quoted(file.string()) + " is not a picture; name it .svg or .png");
  return std::nullopt;
}

void AnalysisInput::CheckFiles(const std::vector<std::pair<std::string_view, std::filesystem::path>>& outputs,
                               const std::vector<std::filesystem::path>& inputs) {
  std::vector<OutputPath> files;
  for (const auto& [option, file] : outputs) {
    if (!file.empty()) files.push_back({fmt::format("{} {}", option, file.string()), file});
  }
  CheckOutputPaths(files, inputs, diagnostics_);
}

void AnalysisInput::Fail(std::string_view option, std::string_view fault) {
  diagnostics_.Error({}, option, std::string(fault));
}

bool AnalysisInput::IsGood(std::ostream& err) const {
  PrintDiagnostics(diagnostics_, err);
  return !diagnostics_.has_errors();
}

}  // namespace davit
