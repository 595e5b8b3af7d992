// Prints the types of TypeScript that C++ describes: generated/described.ts of the page.

#include <iostream>
#include <string_view>

#include "session/describe_component.h"
#include "session/describe_energy.h"
#include "session/describe_item.h"
#include "session/describe_panel.h"
#include "session/describe_run.h"

namespace davit {
namespace {

template <class T>
void Print(std::string_view name, DescribedFields<T> fields) {
  std::cout << "\nexport interface " << name << " {\n";
  for (const DescribedField<T>& field : fields) {
    if (!field.text.empty()) std::cout << "  /** " << field.text << " */\n";
    std::cout << "  " << field.name << (field.is_optional ? "?: " : ": ") << field.type << ";\n";
  }
  std::cout << "}\n";
}

}  // namespace
}  // namespace davit

int main() {
  using namespace davit;
  std::cout << "// Generated from session/describe_*.cc: what server and studio answer.\n";
  Print("DescribedItem", ItemFields());
  Print("DescribedPort", PortFields());
  Print("DescribedInput", InputFields());
  Print("DescribedOutput", OutputFields());
  Print("DescribedState", StateFields());
  Print("DescribedMessage", MessageFields());
  Print("DescribedAlarm", AlarmFields());
  Print("DescribedFaultMode", FaultModeFields());
  Print("DescribedMode", ModeFields());
  Print("DescribedAspect", AspectFields());
  Print("DescribedComponent", ComponentFields());
  Print("DescribedModel", ModelFields());
  Print("DescribedRun", RunFields());
  Print("DescribedEnergy", EnergyFields());
  Print("DescribedEnergyRow", EnergyRowFields());
  Print("DescribedEnergyBand", EnergyBandFields());
  Print("DescribedPanelAxis", PanelAxisFields());
  Print("DescribedPanelLimit", PanelLimitFields());
  Print("DescribedPanelElement", PanelElementFields());
  Print("DescribedPanel", PanelFields());
}
