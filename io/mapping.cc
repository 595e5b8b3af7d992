#include "io/mapping.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "framework/nearest_name.h"
#include "framework/system.h"
#include "framework/units/quantity.h"

namespace davit {

std::string Mapping::ItemPath() const {
  const std::string scope = parent()->parent()->path();
  return scope.empty() ? path_.value() : scope + '.' + path_.value();
}

void Mapping::Bind(System& system, Diagnostics& diagnostics) {
  const auto refuse = [&](const Fault& fault) { diagnostics.Error(location(), DisplayPath(), fault); };
  if (path_.value().empty())
    return refuse({"item is missing", "name what is exchanged, such as item=\"cylinder.p_a\""});
  Fault fault;
  item_ = TreeItem::Find(system, ItemPath(), &fault);
  if (!item_) return refuse({"item: " + fault.what, fault.remedy});
  const std::size_t errors = diagnostics.error_count();
  if (item_->item().value_kind() == ValueKind::kText)
    refuse({Quoted(path_.value()) + " is a text", "map a number, a level or an option"});
  format_ = bytes();
  format_.scale = ReadNumber("scale", scale_.value(), system, diagnostics).value_or(1);
  format_.offset = ReadNumber("offset", offset_.value(), system, diagnostics).value_or(0);
  if (format_.scale == 0) refuse({"scale is 0", "write the value of the item for 1 on the wire"});
  CheckAccess(system, diagnostics);
  if (diagnostics.error_count() > errors) item_.reset();
}

void Mapping::CheckAccess(System& system, Diagnostics& diagnostics) {
  const auto refuse = [&](const Fault& fault) { diagnostics.Error(location(), DisplayPath(), fault); };
  if (!is_written()) {
    for (const auto& [name, is_given] : {std::pair("safe", !safe_text_.value().empty()),
                                         std::pair("timeout", std::isfinite(double{timeout_}))}) {
      if (is_given)
        refuse({fmt::format("{} is for an item that the partner writes", name),
                "leave it out, or let the partner write the item"});
    }
    return;
  }
  if (!item_->is_writable()) return refuse(item_->FaultOfWrite(0));
  if (safe_text_.value().empty()) return;
  Fault fault;
  safe_ = item_->item().Parse(safe_text_.value(), system.units(), &fault);
  if (!safe_) return refuse({"safe: " + fault.what, fault.remedy});
  if (const Fault of_value = item_->FaultOfWrite(*safe_)) refuse({"safe: " + of_value.what, of_value.remedy});
}

std::optional<double> Mapping::ReadNumber(std::string_view name, const std::string& text, System& system,
                                          Diagnostics& diagnostics) const {
  const QuantityResult result = ParseQuantity(text, item_->unit(), system.units());
  if (result.value && std::isfinite(result.value->si)) return result.value->si;
  const Fault fault = result.value ? Fault{"not a finite number", "write one"} : result.fault;
  diagnostics.Error(location(), DisplayPath(), Fault{fmt::format("{}: {}", name, fault.what), fault.remedy});
  return std::nullopt;
}

}  // namespace davit
