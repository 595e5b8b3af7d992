#pragma once

#include <span>
#include <string_view>

#include "framework/item.h"
#include "session/described_field.h"

namespace davit {

std::string_view ToText(ValueKind kind);

using ItemField = DescribedField<Item>;
DescribedFields<Item> ItemFields();

}  // namespace davit
