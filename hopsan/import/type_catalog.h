#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "framework/registry.h"
#include "framework/system.h"
#include "hopsan/component.h"

namespace davit::hopsan {

/// What a name of a Hopsan type is declared as.
enum class PortKind : std::uint8_t { kNone, kPower, kMultiPower, kSensor, kInput, kMultiInput, kOutput };

/// A port of a type.
struct TypePort {
  PortKind kind = PortKind::kNone;
  const Domain* domain = nullptr;  ///< of power ports and sensors
  Role role = Role::kC;            ///< of power ports
};

/// The `hopsan.*` types of a registry, by Hopsan's names: what they declare.
class TypeCatalog {
 public:
  explicit TypeCatalog(const Registry& registry) : registry_(registry), system_(registry) {}

  /// A component of the type with its defaults; null where there is none.
  const HopsanComponent* Find(std::string_view type);
  static TypePort PortOf(const HopsanComponent& type, std::string_view name);
  std::vector<std::string> names() const;

 private:
  const Registry& registry_;
  System system_;
  std::map<std::string, const HopsanComponent*, std::less<>> types_;
};

}  // namespace davit::hopsan
