#pragma once

#include "framework/domains/standard.h"
#include "framework/plugin.h"
#include "framework/signal.h"
#include "framework/system.h"
#include "framework/version.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/tlm_component.h"

/// Every plug-in defines this constant, outside of any namespace:
///
///     const davit::PluginEntry davit_plugin = davit::MakePlugin([](davit::Registry& registry) {
///       registry.Add<ShuttleValve>();
///     });
extern "C" {
[[gnu::visibility("default")]] extern const davit::PluginEntry davit_plugin;
}

namespace davit {

#define DAVIT_TEXT_OF_VALUE(value) DAVIT_TEXT_OF(value)
#define DAVIT_TEXT_OF(token) #token

/// The build that the including source belongs to. Evaluated while compiling, so that a plug-in cannot get
/// the answer of the program that loads it.
consteval PluginBuild MakePluginBuild() {
  PluginBuild build;
  build.davit_version = kVersion;
#if defined(__clang__)
  build.compiler = "clang " DAVIT_TEXT_OF_VALUE(__clang_major__);
#else
  build.compiler = "g++ " DAVIT_TEXT_OF_VALUE(__GNUC__);
#endif
#if defined(_LIBCPP_VERSION)
  build.library = "libc++";
#elif defined(_GLIBCXX_DEBUG)
  build.library = "libstdc++ with _GLIBCXX_DEBUG";
#elif !_GLIBCXX_USE_CXX11_ABI
  build.library = "libstdc++ with _GLIBCXX_USE_CXX11_ABI=0";
#else
  build.library = "libstdc++";
#endif
#if defined(__SANITIZE_ADDRESS__)
  build.sanitizer = "-fsanitize=address";
#elif defined(__SANITIZE_THREAD__)
  build.sanitizer = "-fsanitize=thread";
#else
  build.sanitizer = "no sanitizer";
#endif
  build.sizes = {{{"Component", sizeof(Component)},
                  {"Declarations", sizeof(Declarations)},
                  {"ModelEntry", sizeof(ModelEntry)},
                  {"System", sizeof(System)},
                  {"Diagnostics", sizeof(Diagnostics)},
                  {"DynamicSimComponent", sizeof(DynamicSimComponent)},
                  {"TlmComponent", sizeof(TlmComponent)},
                  {"Parameter", sizeof(Parameter)},
                  {"StateVariable", sizeof(StateVariable)},
                  {"Guard", sizeof(Guard)},
                  {"HydraulicBond", sizeof(HydraulicBond)},
                  {"TranslationalBond", sizeof(TranslationalBond)},
                  {"RotationalBond", sizeof(RotationalBond)},
                  {"Domain", sizeof(Domain)},
                  {"DomainVariable", sizeof(DomainVariable)},
                  {"Input", sizeof(Input)},
                  {"Output", sizeof(Output)}}};
  return build;
}

#undef DAVIT_TEXT_OF
#undef DAVIT_TEXT_OF_VALUE

/// `register_models` adds the models of the plug-in: `registry.Add<ShuttleValve>()`.
consteval PluginEntry MakePlugin(void (*register_models)(Registry& registry)) {
  return {kPluginAbi, MakePluginBuild(), register_models};
}

}  // namespace davit
