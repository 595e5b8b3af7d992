#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "framework/tree/file_described.h"
#include "hopsan/component.h"

namespace davit::hopsan {

/// Stands for a component whose type nobody has specified: it never writes anything.
class Stub final : public SComponent, public FileDescribed {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.Stub",
                                   .text = "Component of an unknown type: its outputs stay constant"};

  void DeclareItems(const Attributes& attributes, const UnitSystem& units, Diagnostics& diagnostics) override;
  bool has_sampled_signals() const override { return true; }

 private:
  Property<std::string> type_{this, "type", "Type in Hopsan"};
  Property<std::string> ports_{this, "ports",
                               "NAME:out, NAME:C:DOMAIN or NAME:Q:DOMAIN, with blanks between"};
  std::deque<Output> outputs_;
  std::deque<AnyPort> power_;
};

}  // namespace davit::hopsan
