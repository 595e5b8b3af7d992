#pragma once

#include <cstdint>
#include <string>

#include "framework/declaration.h"
#include "framework/level.h"

namespace davit {

class Component;

/// A checked write to one item of the tree: `pump.speed = 1776 rpm`, `cylinder.level = Advanced`; without a
/// value, what can be written there.
struct Assignment {
  enum class Target : std::uint8_t { kParameter, kInput, kProperty, kState, kStart, kLevel, kAspect };

  Target target = Target::kParameter;
  Component* owner = nullptr;
  std::string path;                   ///< of the item, from below the root
  std::string text;                   ///< the value as written
  double number = 0;                  ///< value in SI of a parameter, input, state or start value
  Range range;                        ///< of `number`
  bool is_number = false;             ///< kProperty: `number` is to be written, not `text`
  Level level = Level::kIdeal;        ///< kLevel
  double* value = nullptr;            ///< kParameter, kInput, kStart
  bool* is_given = nullptr;           ///< kStart
  AspectBase* aspect = nullptr;       ///< kAspect
  std::uint32_t option = 0;           ///< kAspect
  PropertyBase* property = nullptr;   ///< kProperty
  StateDeclaration* state = nullptr;  ///< kState
  std::uint32_t element = 0;          ///< kState
  bool is_structural = false;         ///< may only be applied while the system is loaded
};

}  // namespace davit
