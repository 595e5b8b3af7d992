// A level that chooses an option which its aspect does not have.

#include <array>
#include <string_view>

#include "simulator/plugin_entry.h"

namespace {

class Undecided final : public davit::DynamicSimComponent {
 public:
  enum class Friction { kNone, kDry, kLuGre };
  static constexpr std::array<std::string_view, 2> kNames{"None", "Dry"};
  static constexpr davit::ModelInfo kInfo{.name = "plugin.Undecided",
                                          .text = "Lacks the name of an option",
                                          .levels = {davit::Level::kIdeal, davit::Level::kAdvanced}};

 private:
  davit::Aspect<Friction> friction{
      this, "friction", "Law of friction", kNames, Friction::kNone, Friction::kDry, Friction::kLuGre};
};

}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<Undecided>(); });
