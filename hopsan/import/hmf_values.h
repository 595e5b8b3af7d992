#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "framework/diagnostics.h"
#include "hopsan/component.h"
#include "hopsan/import/hmf_expression.h"
#include "hopsan/import/hmf_file.h"

namespace davit::hopsan {

/// A component of a file with the system that contains it.
struct HmfOwner {
  const HmfSystem* system = nullptr;
  const HmfComponent* component = nullptr;
  const HopsanComponent* type = nullptr;
};

/// `k` of `k#Value`: what a type declares; `P1#Pressure` stays.
std::string BaseName(std::string_view parameter);

/// Of a constant, an input or a start value: `P1#Pressure` or `P1_Pressure`.
std::optional<double> DefaultOf(const HopsanComponent& type, std::string_view name);

/// The values of parameters: expressions, system parameters, scripts.
class HmfValues {
 public:
  explicit HmfValues(HmfFile& file);

  /// Runs the scripts, outer systems first: writes what they assign into the file.
  void RunScripts(Diagnostics& diagnostics);
  std::optional<double> Number(const HmfOwner& owner, std::string_view text, Fault* fault);
  /// The text of a parameter that is no number: itself, or that of the system parameter of this name.
  std::string Text(const HmfSystem& system, const std::string& text) const;
  std::optional<double> SystemParameter(const HmfSystem& system, std::string_view name, Fault* fault);
  const HmfSystem* ParentOf(const HmfSystem& system) const { return parents_.at(&system); }

 private:
  void FindParents(const HmfSystem& system, const HmfSystem* parent);
  void RunScript(HmfSystem& system, const std::string& path, Diagnostics& diagnostics);
  void Assign(HmfSystem& system, std::string_view target, double value, Fault* fault);
  std::optional<double> FindOutwards(const HmfSystem* system, std::string_view name, Fault* fault);
  /// A parameter of the owner itself, in the file or by default.
  std::optional<double> Own(const HmfOwner& owner, std::string_view name, Fault* fault);
  bool HasOwn(const HmfOwner& owner, std::string_view name) const;

  HmfFile& file_;
  bool is_before_self_ = false;  ///< core before 2.14: own parameters have no `self.`
  std::map<const HmfSystem*, const HmfSystem*> parents_;
  std::map<std::pair<const void*, std::string>, double> known_;  ///< by system or component, and name
  int level_ = 0;
};

}  // namespace davit::hopsan
