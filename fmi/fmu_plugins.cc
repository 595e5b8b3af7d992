#include "fmi/fmu_plugins.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "fmi/elf_library.h"
#include "fmi/fmu_export.h"
#include "framework/load_bytes.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// In the names of the runtime, until an FMU gets it: see DavitFmuRuntime.cmake.
constexpr std::string_view kNoTag = "00000000000000000000000000000000";

/// What the runtime of an FMU needs itself, so that every machine that runs FMUs of davit has it.
constexpr std::array<std::string_view, 9> kSystemLibraries{
    "libc.so.6",  "libm.so.6",  "libstdc++.so.6", "libgcc_s.so.1",       "libpthread.so.0",
    "libdl.so.2", "librt.so.1", "libmvec.so.1",   "ld-linux-x86-64.so.2"};
/// Those of sanitizers: the FMU of a davit that is built with one.
constexpr std::array<std::string_view, 3> kSanitizers{"libasan.", "libubsan.", "libtsan."};

/// What the loader of plug-ins looks for.
constexpr std::array<std::string_view, 2> kEntries{"davit_plugin", "davit_plugin_charts"};

bool IsOfSanitizer(std::string_view library) {
  return std::ranges::any_of(kSanitizers, [&](std::string_view name) { return library.starts_with(name); });
}

/// `_ZN5davit4MassC1Ev` as it is written in a source; other texts as they are.
std::string AsInSource(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : symbol;
}

/// Why a plug-in cannot go along; empty if it can.
std::string FaultOf(const ElfLibrary& plugin, const std::set<std::string>& offered) {
  std::vector<std::string> foreign;
  bool has_sanitizer = false;
  for (const std::string& library : plugin.needed()) {
    has_sanitizer = has_sanitizer || IsOfSanitizer(library);
    if (std::ranges::find(kSystemLibraries, library) == kSystemLibraries.end() && !IsOfSanitizer(library))
      foreign.push_back(library);
  }
  if (!foreign.empty()) {
    return fmt::format(
        "it needs {}, and an FMU takes the plug-in along, not the libraries that the plug-in is linked with; "
        "link "
        "them statically (lib*.a), or compile their sources into the plug-in",
        fmt::join(foreign, ", "));
  }
  if (has_sanitizer) return {};  // its functions have no versions that tell them from others
  for (const ElfSymbol& symbol : plugin.symbols()) {
    if (symbol.is_defined || symbol.is_weak || symbol.has_version || offered.contains(symbol.name)) continue;
    return fmt::format(
        "it needs {}, which is not part of the runtime of FMUs; use what the guide to writing components has",
        AsInSource(symbol.name));
  }
  return {};
}

/// The library or program that has an object without a heap: a constant, a function.
fs::path LibraryOf(const void* object) {
  Dl_info info{};
  return dladdr(object, &info) != 0 && info.dli_fname != nullptr ? fs::path(info.dli_fname) : fs::path();
}

}  // namespace

std::vector<LoadedPlugin> NeededPlugins(const std::vector<LoadedPlugin>& plugins,
                                        const std::vector<const Component*>& components) {
  std::set<fs::path> libraries;
  for (const Component* component : components) {
    libraries.insert(LibraryOf(component->entry().info));
    for (const auto& port : component->declarations().ports) libraries.insert(LibraryOf(port.domain));
  }
  std::vector<LoadedPlugin> needed;
  std::ranges::copy_if(plugins, std::back_inserter(needed), [&](const LoadedPlugin& plugin) {
    return std::ranges::any_of(libraries, [&](const fs::path& library) {
      std::error_code ignored;
      return fs::equivalent(library, plugin.library, ignored);
    });
  });
  return needed;
}

std::vector<FmuPlugin> ReadFmuPlugins(const std::vector<LoadedPlugin>& plugins, const std::string& runtime,
                                      Diagnostics& diagnostics) {
  std::set<std::string> offered;
  for (const ElfSymbol& symbol : ElfLibrary(runtime).symbols()) {
    if (symbol.is_defined) offered.insert(symbol.name);
  }
  std::vector<FmuPlugin> result;
  std::set<std::string> names;
  for (const LoadedPlugin& plugin : plugins) {
    std::string bytes = LoadBytes(plugin.library).value_or("");
    std::string fault;
    try {
      fault = FaultOf(ElfLibrary(bytes), offered);
    } catch (const std::invalid_argument& wrong) {
      fault = std::string(wrong.what()) + "; build the plug-in again";
    }
    if (!fault.empty()) {
      const bool is_named = plugin.place.file != nullptr && !plugin.place.file->empty();
      const SourceLocation itself{std::make_shared<const std::string>(plugin.library.string()), 0};
      diagnostics.Error(is_named ? plugin.place : itself, {},
                        is_named ? fmt::format("plug-in {}: {}", plugin.library.string(), fault) : fault);
    }
    // With a character that no name of a runtime has.
    const std::string stem = "davit-plugin-" + MakeIdentifier(plugin.library.stem().string());
    std::string name = stem + ".so";
    for (int i = 2; !names.insert(name).second; ++i) name = fmt::format("{}_{}.so", stem, i);
    result.push_back({std::move(name), std::move(bytes)});
  }
  return result;
}

FmuPluginLibraries BindFmuPlugins(std::string runtime, std::vector<FmuPlugin> plugins,
                                  std::string_view token) {
  std::string tag;
  std::ranges::copy_if(token, std::back_inserter(tag), [](unsigned char c) { return std::isxdigit(c) != 0; });
  ElfLibrary host(std::move(runtime));
  host.RenameIn(kNoTag, tag);
  if (host.soname().find(tag) == std::string::npos || host.version().find(tag) == std::string::npos) {
    throw std::runtime_error(
        "davit_fmu_plugin_runtime.so: is not as davit was built; build it again, without changing the file");
  }
  for (FmuPlugin& plugin : plugins) {
    ElfLibrary library(std::move(plugin.bytes));
    library.BindTo(host, {kEntries.begin(), kEntries.end()});
    plugin.bytes = library.bytes();
  }
  return {host.bytes(), std::move(plugins)};
}

}  // namespace davit
