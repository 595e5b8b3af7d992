#include "server/node_value.h"

#include <studio_api.pb.h>
#include <cmath>

namespace davit {

void FillInfo(const LiveNode& node, studio_api::Info& info) {
  info.set_node_id(node.id);
  info.set_name(node.name);
  info.set_node_type(static_cast<std::int32_t>(node.type));
  if (node.value_type != NodeValueType::kNone)
    info.set_value_type(static_cast<std::int32_t>(node.value_type));
  if (!node.type_name.empty()) info.set_type_name(node.type_name);
  std::uint32_t flags = 0;
  const auto add = [&](bool is_so, NodeFlag flag) {
    if (is_so) flags |= static_cast<std::uint32_t>(flag);
  };
  add(node.children.empty(), NodeFlag::kIsLeaf);
  add(node.value_type != NodeValueType::kNone && node.is_read_only, NodeFlag::kIsReadOnly);
  add(node.is_important, NodeFlag::kIsImportant);
  if (flags != 0) info.set_flags(flags);
}

void FillNumber(const NodeTree& tree, const LiveNode& node, double number, studio_api::VariantValue& value) {
  value.set_node_id(node.id);
  switch (node.value_type) {
    case NodeValueType::kDouble: value.set_d_value(number); break;
    case NodeValueType::kBool: value.set_b_value(number != 0); break;
    case NodeValueType::kString: {
      const std::vector<std::string>& options = tree.items()[node.subject].options;
      const bool is_option = number >= 0 && number < static_cast<double>(options.size());
      value.set_str_value(is_option ? options[static_cast<std::size_t>(number)] : std::string());
      break;
    }
    case NodeValueType::kNone: break;
  }
}

WantedValue ReadWantedValue(const studio_api::VariantValue& value) {
  WantedValue wanted;
  if (value.has_str_value()) {
    wanted.has_text = true;
    wanted.text = value.str_value();
    return wanted;
  }
  const auto read = [&](bool has, double number) {
    if (!has) return;
    wanted.has_number = true;
    wanted.number = number;
  };
  read(value.has_d_value(), value.d_value());
  read(value.has_f_value(), value.f_value());
  read(value.has_ui64_value(), static_cast<double>(value.ui64_value()));
  read(value.has_i64_value(), static_cast<double>(value.i64_value()));
  read(value.has_ui_value(), value.ui_value());
  read(value.has_i_value(), value.i_value());
  read(value.has_us_value(), value.us_value());
  read(value.has_s_value(), value.s_value());
  read(value.has_uc_value(), value.uc_value());
  read(value.has_c_value(), value.c_value());
  read(value.has_b_value(), value.b_value() ? 1 : 0);
  return wanted;
}

}  // namespace davit
