#include "app/whole/new_model_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <system_error>
#include <utility>
#include <vector>

#include "app/digit.h"
#include "app/exit_code.h"
#include "app/whole/model_templates.h"
#include "app/whole/plugin_project.h"
#include "framework/diagnostics.h"
#include "framework/nearest_name.h"
#include "framework/tree/snake_case.h"
#include "framework/version.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 64;

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsDomain(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName && IsLower(text.front()) &&
         std::ranges::all_of(text, [](char c) { return IsLower(c) || IsDigit(c) || c == '_'; });
}

bool IsType(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName && IsUpper(text.front()) &&
         std::ranges::all_of(text, [](char c) { return IsLower(c) || IsUpper(c) || IsDigit(c); });
}

/// What a text may have been meant for: `shuttle_valve` -> `ShuttleValve`; empty if nothing is left.
std::string TypeLike(std::string_view text) {
  std::string type;
  bool begins_word = true;
  for (const char c : text) {
    const bool is_letter = IsLower(c) || IsUpper(c);
    if (!is_letter && (!IsDigit(c) || type.empty())) {
      begins_word = true;
      continue;
    }
    type += begins_word ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins_word = false;
  }
  return type.substr(0, kLongestName);
}

/// `Hydraulic-Parts` -> `hydraulic_parts`; empty if nothing is left.
std::string DomainLike(std::string_view text) {
  std::string domain;
  for (const char c : text) {
    const bool is_usable = IsLower(c) || IsUpper(c) || (IsDigit(c) && !domain.empty());
    if (is_usable) domain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!is_usable && !domain.empty() && domain.back() != '_') domain += '_';
  }
  while (!domain.empty() && domain.back() == '_') domain.pop_back();
  return domain.substr(0, kLongestName);
}

/// What is wrong with the name of the model; what would be right.
std::string FindNameFault(std::string_view model, const Registry& registry) {
  if (registry.Find(model) != nullptr) {
    return fmt::format("there is a model {} already; choose another name, davit describe {} shows that one",
                       model, model);
  }
  const std::size_t dot = model.find('.');
  const bool has_domain = dot != std::string_view::npos;
  if (has_domain && IsDomain(model.substr(0, dot)) && IsType(model.substr(dot + 1))) return {};
  std::string domain = has_domain ? DomainLike(model.substr(0, dot)) : "";
  std::string type = TypeLike(has_domain ? model.substr(dot + 1) : model);
  if (domain.empty()) domain = "hydraulic";
  if (type.empty()) type = "ShuttleValve";
  return fmt::format("{} is not a model name; write domain.Type, letters and digits, such as {}.{}",
                     Quoted(model), domain, type);
}

/// What is wrong with the folder; what would be right.
std::string FindFolderFault(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status)) return "there is a file of this name; name a folder that is new or empty";
  if (PluginProject::IsIn(folder)) return {};
  if (!fs::is_empty(folder, error) || error) {
    return "the folder is not empty and has no plug-in project; name one that is new or empty, or a project "
           "to add the model to; nothing is overwritten";
  }
  return {};
}

/// The name of the plug-in, from that of its folder. CMake has targets of its own, which it must not hit.
std::string LibraryName(const fs::path& folder) {
  fs::path path = fs::absolute(folder).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  std::string name = DomainLike(path.filename().string());
  if (name.empty()) name = "plugin";
  const std::vector<std::string> taken{"all",  "clean", "davit",   "edit_cache", "help",         "install",
                                       "test", "tests", "package", "plugin",     "rebuild_cache"};
  return std::ranges::find(taken, name) == taken.end() ? name : name + "_models";
}

std::string Filled(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string filled;
  while (true) {
    const std::size_t begin = text.find('%');
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('%', begin + 1);
    if (end == std::string_view::npos) return filled.append(text);
    const auto value = values.find(std::string(text.substr(begin + 1, end - begin - 1)));
    if (value == values.end()) {
      filled += text.substr(0, end);
      text.remove_prefix(end);
    } else {
      filled.append(text.substr(0, begin)).append(value->second);
      text.remove_prefix(end + 1);
    }
  }
}

/// What a file of the project is called, by the name of its template.
std::string FileName(std::string_view name, const std::string& file) {
  if (name == "model.h") return file + ".h";
  if (name == "test.cc") return file + "_test.cc";
  if (name == "chart.scxml") return file + ".scxml";
  return std::string(name);
}

std::string Summary(std::string_view kind, bool has_levels) {
  if (kind == "ode" && !has_levels) return "a first-order lag";
  if (kind == "ode") return "a first-order lag with two levels and a chart that chooses between them";
  if (kind == "dae") return "an equation that SUNDIALS IDA solves at all times";
  if (kind == "tlm") return "oil between two ports as a line, a fixed-step (TLM) component";
  return "a gain with a limit";
}

}  // namespace

int RunNewModel(const NewModelOptions& options, const Registry& registry, std::ostream& out,
                std::ostream& err) {
  const auto refuse = [&err](const std::string& place, const std::string& fault) {
    const SourceLocation location{std::make_shared<const std::string>(place), 0};
    err << ToText(Diagnostic{.location = location, .fault = ToFault(fault)}) << '\n';
  };
  const std::string name_fault = FindNameFault(options.model, registry);
  const std::string folder_fault = FindFolderFault(options.folder);
  if (!name_fault.empty()) refuse("new-model", name_fault);
  if (!folder_fault.empty()) refuse(options.folder.string(), folder_fault);
  if (!name_fault.empty() || !folder_fault.empty()) return kWrongInput;

  const std::string type = options.model.substr(options.model.find('.') + 1);
  const std::string file = SnakeCase(type);
  const bool has_chart = options.kind == "ode" && options.has_levels;
  const std::string templates =
      options.kind == "ode" && !options.has_levels ? "ode_without_levels" : options.kind;
  std::map<std::string, std::string> values{
      {"MODEL", options.model},
      {"TYPE", type},
      {"FILE", file},
      {"LIB", LibraryName(options.folder)},
      {"VERSION", kVersion},
      {"SUMMARY", Summary(options.kind, options.has_levels)},
      {"CHARTS", has_chart ? fmt::format(" CHARTS {}.scxml", file) : ""},
      {"CHART_ROW",
       has_chart ? fmt::format("| `{}.scxml` | its default chart, built into the plug-in |\n", file) : ""}};

  std::optional<PluginProject> project;
  if (PluginProject::IsIn(options.folder)) {
    project.emplace(options.folder);
    values["LIB"] = project->library();
    if (const std::string fault = project->Add({options.model, type, file, has_chart}); !fault.empty()) {
      refuse(options.folder.string(), fault);
      return kWrongInput;
    }
  }
  std::error_code error;
  fs::create_directories(options.folder, error);
  std::vector<std::string> written;
  for (const ModelTemplate& model_template : ModelTemplates()) {
    std::string_view name = model_template.name;
    if (const std::size_t slash = name.find('/'); slash != std::string_view::npos) {
      if (name.substr(0, slash) != templates) continue;
      name.remove_prefix(slash + 1);
    }
    if (project && model_template.name == name) continue;  // of the whole project
    written.push_back(project && name == "example.xml" ? file + "_example.xml" : FileName(name, file));
    std::ofstream stream(options.folder / written.back(), std::ios::binary);
    stream << Filled(model_template.text, values);
    if (stream.flush()) continue;
    refuse((options.folder / written.back()).string(),
           "cannot be written; look at the folder and its rights");
    return kRunFailed;
  }
  if (project && !project->Write()) {
    refuse(options.folder.string(), "plugin.cc or CMakeLists.txt cannot be written; look at their rights");
    return kRunFailed;
  }
  std::ranges::sort(written);
  out << fmt::format("{}: {} in", options.folder.string(), options.model);
  for (const std::string& name : written) out << ' ' << name;
  out << fmt::format("\nnext: cd {} && cmake -B build && cmake --build build && ctest --test-dir build\n",
                     options.folder.string());
  return kDone;
}

void AddNewModelCommand(CLI::App& command, CommandContext& context) {
  const auto options = std::make_shared<NewModelOptions>();
  command.add_option("MODEL", options->model, "domain.Type, for example hydraulic.ShuttleValve")->required();
  command
      .add_option("--kind", options->kind,
                  "ode: differential equations, with two levels and a chart; dae: algebraic "
                  "equations; tlm: fixed steps between transmission delays; signal: no states")
      ->type_name("KIND")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(kModelKinds.begin(), kModelKinds.end())));
  command.add_flag_callback(
      "--no-levels", [options] { options->has_levels = false; },
      "For the kind ode: one behaviour, without levels and chart");
  command
      .add_option("-o,--output", options->folder,
                  "Folder of the project: new, empty, or the folder of a plug-in to add the model to")
      ->type_name("DIR")
      ->required();
  command.callback([&context, options] {
    context.exit_code = RunNewModel(*options, context.registry, context.out, context.err);
  });
}

}  // namespace davit
