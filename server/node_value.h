#pragma once

#include <cstdint>
#include <string>

#include "server/node_tree.h"

namespace davit::studio_api {
class Info;
class VariantValue;
}  // namespace davit::studio_api

namespace davit {

/// Flags of a node in StudioAPI.
enum class NodeFlag : std::uint32_t { kIsLeaf = 1, kIsReadOnly = 4, kIsImportant = 128 };

/// What StudioAPI says of a node. Of the application, where the server is is to be added.
void FillInfo(const LiveNode& node, studio_api::Info& info);

/// The number of a node that shows one, in the field that its type wants: options as their names.
void FillNumber(const NodeTree& tree, const LiveNode& node, double number, studio_api::VariantValue& value);

/// What a client wants to write: a text or a number.
struct WantedValue {
  bool has_number = false;
  double number = 0;
  bool has_text = false;
  std::string text = {};
};
WantedValue ReadWantedValue(const studio_api::VariantValue& value);

}  // namespace davit
