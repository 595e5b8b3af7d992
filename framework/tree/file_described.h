#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "framework/diagnostics.h"
#include "framework/units/unit_system.h"

namespace davit {

/// A component whose items (parameters, inputs, outputs, states ...) follow from a file that its attributes
/// name. A class that derives from Component derives from this too.
class FileDescribed {
 public:
  using Attributes = std::map<std::string, std::string, std::less<>>;

  /// Declares what the file says. Called once, where the element is read: before its attributes are set.
  /// `attributes` are those of the element, with `${parameter}` replaced. Faults go to `diagnostics`; where
  /// they have no place, that of the element is meant.
  virtual void DeclareItems(const Attributes& attributes, const UnitSystem& units,
                            Diagnostics& diagnostics) = 0;
  /// Whether its inputs and outputs change at step points only. Routes from and to it are sampled then.
  virtual bool has_sampled_signals() const = 0;
  /// The attribute that names the file, seen from the file of the element; empty where there is none.
  virtual std::string_view file_attribute() const { return {}; }

 protected:
  FileDescribed() = default;
  ~FileDescribed() = default;
  FileDescribed(const FileDescribed&) = default;
  FileDescribed& operator=(const FileDescribed&) = default;
};

}  // namespace davit
