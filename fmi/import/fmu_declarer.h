#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmi/fmu_description.h"
#include "fmi/import/fmu_items.h"
#include "fmi/import/foreign_fmu.h"
#include "framework/diagnostics.h"
#include "framework/tree/file_described.h"
#include "framework/units/unit_system.h"

namespace davit {

class DynamicSimComponent;

/// The name of an item for a variable of an FMU: that of the variable, with `a[1,2]` as `a.1.2`, and `_` for
/// what cannot stand in a path.
std::string ItemNameOf(std::string_view variable);

/// Declares the items of a component from the description of its FMU.
class FmuDeclarer {
 public:
  /// What the guards of the component do.
  struct Events {
    std::function<double(std::size_t indicator)> value;
    std::function<void(double t)> reaction;
  };

  /// `attributes` are those of the element: the sizes of arrays are among them. `shown` is how messages name
  /// the file of the description.
  FmuDeclarer(DynamicSimComponent& component, const FmuDescription& description, FmuKind kind,
              const FileDescribed::Attributes& attributes, const UnitSystem& units, std::string shown,
              Diagnostics& diagnostics);

  /// `locals`: names and globs of local variables that become outputs. Variables that are `taken` become
  /// nothing.
  void Declare(const std::string& locals, const std::set<std::size_t>& taken, const Events& events,
               FmuItems& items);

 private:
  void DeclareParameter(const DescribedVariable& variable, FmuItems& items);
  void DeclareText(const DescribedVariable& variable, FmuItems& items);
  void DeclareInput(const DescribedVariable& variable, FmuItems& items);
  void DeclareOutput(const DescribedVariable& variable, FmuItems& items);
  void DeclareStates(FmuItems& items);
  void DeclareGuards(const Events& events, FmuItems& items);
  void DeclareUses(FmuItems& items);
  /// What equations read, as far as the description says: the structure of Jacobians.
  void DeclareReaches(const FmuItems& items);
  /// The same of an equation or an output; `id` is that of the item.
  void DeclareReach(const DescribedVariable& reader, const void* id, const FmuItems& items);

  /// The number of its elements; 0 after a fault, or where a size is 0.
  std::size_t CountOf(const DescribedVariable& variable);
  std::vector<std::size_t> SizesOf(const DescribedVariable& variable);
  /// The name of an element, which nothing else has.
  std::string NewName(const DescribedVariable& variable, std::size_t element);
  double StartOf(const DescribedVariable& variable, std::size_t element) const;
  Range RangeOf(const DescribedVariable& variable, const FmuUnit& unit, double start) const;
  FmuItems::Options OptionsOf(const DescribedVariable& variable, FmuItems& items);
  std::span<const std::string_view> OptionNames(const DescribedVariable& variable);
  void Report(const DescribedVariable& variable, const std::string& what);

  DynamicSimComponent& component_;
  const FmuDescription& description_;
  FmuKind kind_;
  const FileDescribed::Attributes& attributes_;
  const UnitSystem& units_;
  std::shared_ptr<const std::string> shown_;
  Diagnostics& diagnostics_;
  std::set<std::string, std::less<>> names_;
  std::map<std::string, std::vector<std::size_t>> sizes_;
  /// The items that a variable has become.
  struct Items {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  std::map<const DescribedVariable*, Items> states_of_, inputs_of_, outputs_of_;  ///< inputs: continuous ones
};

}  // namespace davit
