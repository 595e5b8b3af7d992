#include "app/whole/plugin_project.h"

#include <fmt/format.h>

#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "framework/load_bytes.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModels = "plugin.cc";
constexpr const char* kBuild = "CMakeLists.txt";
constexpr std::string_view kAddPlugin = "davit_add_plugin(";
constexpr std::string_view kAddModels = "registry.Add<";

std::string TextOf(const fs::path& file) { return LoadBytes(file).value_or(""); }

/// Inserts before the bracket that closes the call which begins with `call`. False where there is none.
bool AddArguments(std::string_view call, std::string_view arguments, std::string& text) {
  const std::size_t begin = text.find(call);
  const std::size_t end = begin == std::string::npos ? begin : text.find(')', begin);
  if (end == std::string::npos) return false;
  text.insert(end, arguments);
  return true;
}

}  // namespace

bool PluginProject::IsIn(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / kModels, ignored) && fs::is_regular_file(folder / kBuild, ignored) &&
         TextOf(folder / kBuild).find(kAddPlugin) != std::string::npos;
}

PluginProject::PluginProject(fs::path folder)
    : folder_(std::move(folder)), models_(TextOf(folder_ / kModels)), build_(TextOf(folder_ / kBuild)) {
  const std::size_t begin = build_.find(kAddPlugin) + kAddPlugin.size();
  library_ = build_.substr(begin, build_.find_first_of(" \n)", begin) - begin);
}

std::string PluginProject::Add(const JoiningModel& model) {
  for (const char* end : {".h", "_test.cc", "_example.xml"}) {
    std::error_code ignored;
    if (fs::exists(folder_ / (model.file + end), ignored))
      return fmt::format("the project has a {}{} already; choose another name for the model", model.file,
                         end);
  }
  const std::size_t last_include = models_.rfind("#include \"");
  const std::size_t add = models_.find(kAddModels);
  if (last_include == std::string::npos || add == std::string::npos)
    return fmt::format("its {} has no {}...>; list the models as davit new-model does", kModels, kAddModels);
  models_.insert(add + kAddModels.size(), fmt::format("plugin::{}, ", model.type));
  models_.insert(models_.find('\n', last_include) + 1, fmt::format("#include \"{}.h\"\n", model.file));

  const std::size_t end = build_.rfind("endif()");
  const bool has_tests =
      end != std::string::npos && AddArguments(fmt::format("add_executable({}_test ", library_),
                                               fmt::format(" {}_test.cc", model.file), build_);
  if (!has_tests)
    return fmt::format("its {} has no add_executable({}_test ...); build the tests as davit new-model does",
                       kBuild, library_);
  build_.insert(
      build_.rfind("endif()"),
      fmt::format(
          "  add_test(NAME describe_{1} COMMAND davit::program describe {2} --plugin $<TARGET_FILE:{0}>)\n"
          "  add_test(NAME example_{1} COMMAND davit::program run "
          "${{CMAKE_CURRENT_SOURCE_DIR}}/{1}_example.xml\n"
          "    --plugin $<TARGET_FILE:{0}> -o ${{CMAKE_CURRENT_BINARY_DIR}}/{1}_example.csv)\n",
          library_, model.file, model.model));
  if (!model.has_chart) return {};
  const std::size_t call = build_.find(kAddPlugin);
  const bool has_charts =
      build_.substr(call, build_.find(')', call) - call).find(" CHARTS ") != std::string::npos;
  AddArguments(kAddPlugin, fmt::format("{}{}.scxml", has_charts ? " " : " CHARTS ", model.file), build_);
  return {};
}

bool PluginProject::Write() const {
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream stream(folder_ / name, std::ios::binary);
    stream << text;
    return static_cast<bool>(stream.flush());
  };
  return write(kModels, models_) && write(kBuild, build_);
}

}  // namespace davit
