#include "hopsan/import/hmf_values.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "framework/nearest_name.h"
#include "framework/xml/element_reader.h"

namespace davit::hopsan {
namespace {

constexpr int kMostReferences = 100;
constexpr std::string_view kSelf = "self.";

const HmfParameter* FindParameter(const std::vector<HmfParameter>& parameters, std::string_view name) {
  for (const HmfParameter& parameter : parameters) {
    if (BaseName(parameter.name) == name) return &parameter;
  }
  return nullptr;
}

/// `in#Value` of `in.Value`.
std::string WithMarks(std::string_view name) {
  std::string own(name);
  std::ranges::replace(own, '.', '#');
  return own;
}

std::string DigitsOf(double value) {
  char buffer[40];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end};
}

}  // namespace

std::optional<double> DefaultOf(const HopsanComponent& type, std::string_view name) {
  const Declarations& d = type.declarations();
  std::string label(name);
  std::ranges::replace(label, '#', '_');  // of a start value
  const auto find = [&](const auto& list) -> std::optional<double> {
    const auto found = std::ranges::find_if(list, [&](const auto& one) { return one.label.name == label; });
    return found == list.end() ? std::nullopt : std::optional(found->default_value);
  };
  const auto constant = find(d.parameters), input = find(d.inputs);
  return constant ? constant : input ? input : find(d.starts);
}

std::string BaseName(std::string_view parameter) {
  constexpr std::string_view kValue = "#Value";
  if (parameter.ends_with(kValue)) parameter.remove_suffix(kValue.size());
  return std::string(parameter);
}

HmfValues::HmfValues(HmfFile& file) : file_(file) {
  FindParents(file.system, nullptr);
  int major = 0, minor = 0;
  const std::string& version = file.core_version;
  const char* const last = version.data() + version.size();
  const auto [dot, error] = std::from_chars(version.data(), last, major);
  if (error == std::errc() && dot != last && *dot == '.') std::from_chars(dot + 1, last, minor);
  is_before_self_ = major < 2 || (major == 2 && minor < 14);
}

void HmfValues::FindParents(const HmfSystem& system, const HmfSystem* parent) {
  parents_[&system] = parent;
  for (const HmfObject& object : system.objects) {
    if (object.system != nullptr) FindParents(*object.system, &system);
  }
}

std::optional<double> HmfValues::SystemParameter(const HmfSystem& system, std::string_view name,
                                                 Fault* fault) {
  const HmfParameter* const parameter = FindParameter(system.parameters, name);
  if (parameter == nullptr) return std::nullopt;
  const auto key = std::pair<const void*, std::string>(&system, name);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  if (level_ >= kMostReferences) {
    *fault = {"the parameter " + Quoted(name) + " refers to itself", "break the cycle"};
    return std::nullopt;
  }
  ++level_;
  if (parameter->value == "true" || parameter->value == "false") {
    --level_;
    return parameter->value == "true" ? 1 : 0;
  }
  const std::optional<double> value = EvaluateHmfExpression(
      parameter->value,
      [&](std::string_view inner, Fault* why) -> std::optional<double> {
        if (inner.starts_with(kSelf)) return SystemParameter(system, inner.substr(kSelf.size()), why);
        const std::optional<double> outer = FindOutwards(parents_.at(&system), inner, why);
        if (outer || why->what.empty() == false || inner == name) return outer;
        return SystemParameter(system, inner, why);  // a file that lacks `self.`
      },
      fault);
  --level_;
  if (value) known_[key] = *value;
  return value;
}

std::optional<double> HmfValues::FindOutwards(const HmfSystem* system, std::string_view name, Fault* fault) {
  for (; system != nullptr; system = parents_.at(system)) {
    if (FindParameter(system->parameters, name) != nullptr) return SystemParameter(*system, name, fault);
  }
  return std::nullopt;
}

bool HmfValues::HasOwn(const HmfOwner& owner, std::string_view name) const {
  const std::string own = BaseName(WithMarks(name));
  return FindParameter(owner.component->parameters, own) != nullptr ||
         (owner.type != nullptr && DefaultOf(*owner.type, own));
}

std::optional<double> HmfValues::Own(const HmfOwner& owner, std::string_view name, Fault* fault) {
  const std::string own = BaseName(WithMarks(name));
  const auto key = std::pair<const void*, std::string>(owner.component, own);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  if (level_ >= kMostReferences) {
    *fault = {"the parameter " + Quoted(name) + " refers to itself", "break the cycle"};
    return std::nullopt;
  }
  if (const HmfParameter* const parameter = FindParameter(owner.component->parameters, own)) {
    ++level_;
    const std::optional<double> value = Number(owner, parameter->value, fault);
    --level_;
    if (value) known_[key] = *value;
    return value;
  }
  const std::optional<double> value = owner.type != nullptr ? DefaultOf(*owner.type, own) : std::nullopt;
  if (!value) {
    *fault = {"the component has no parameter " + Quoted(name),
              "write self.NAME of a constant, or self.PORT.Value of an input"};
  }
  return value;
}

std::optional<double> HmfValues::Number(const HmfOwner& owner, std::string_view text, Fault* fault) {
  text = Trim(text);
  return EvaluateHmfExpression(
      text,
      [&](std::string_view name, Fault* why) -> std::optional<double> {
        if (name.starts_with(kSelf)) return Own(owner, name.substr(kSelf.size()), why);
        if (is_before_self_ && HasOwn(owner, name) && name.find('.') != std::string_view::npos)
          return Own(owner, name, why);
        if (const std::optional<double> value = FindOutwards(owner.system, name, why)) return value;
        if (why->what.empty() && HasOwn(owner, name)) return Own(owner, name, why);
        return std::nullopt;
      },
      fault);
}

std::string HmfValues::Text(const HmfSystem& system, const std::string& text) const {
  for (const HmfSystem* s = &system; s != nullptr; s = parents_.at(s)) {
    if (const HmfParameter* const parameter = FindParameter(s->parameters, text)) return parameter->value;
  }
  return text;
}

void HmfValues::Assign(HmfSystem& system, std::string_view target, double value, Fault* fault) {
  const std::size_t dot = target.find('.');
  const std::string first = CleanName(target.substr(0, dot));
  const auto write = [&](std::vector<HmfParameter>& parameters, std::string_view name) {
    for (HmfParameter& parameter : parameters) {
      if (BaseName(parameter.name) != BaseName(WithMarks(name))) continue;
      parameter.value = DigitsOf(value);
      return true;
    }
    return false;
  };
  if (dot == std::string_view::npos) {
    if (!write(system.parameters, target))
      *fault = {"no system parameter " + Quoted(target), "write COMPONENT.PORT.Value or a system parameter"};
    return;
  }
  const std::string_view rest = target.substr(dot + 1);
  for (HmfObject& object : system.objects) {
    if (object.component != nullptr && object.component->name == first) {
      if (write(object.component->parameters, rest)) return;
      object.component->parameters.push_back({WithMarks(rest), DigitsOf(value), "double", system.place});
      return;
    }
    if (object.system != nullptr && object.system->name == first)
      return Assign(*object.system, rest, value, fault);
  }
  *fault = {"no component " + Quoted(first), "write COMPONENT.PORT.Value or a system parameter"};
}

void HmfValues::RunScript(HmfSystem& system, const std::string& path, Diagnostics& diagnostics) {
  std::vector<std::string> statements;
  std::istringstream script(system.script);
  for (std::string line; std::getline(script, line);) {
    std::istringstream parts(line.substr(0, line.find('#')));
    for (std::string part; std::getline(parts, part, ';');) statements.push_back(part);
  }
  for (const std::string& statement : statements) {
    const std::string_view code = Trim(statement);
    if (code.empty()) continue;
    const std::size_t equal = code.find('=');
    Fault fault;
    if (equal == std::string_view::npos) {
      fault = {"no assignment", "write COMPONENT.PORT.Value = EXPRESSION"};
    } else {
      const auto names = [&](std::string_view name, Fault* why) -> std::optional<double> {
        if (name.starts_with(kSelf)) name.remove_prefix(kSelf.size());
        if (const std::optional<double> value = FindOutwards(&system, name, why)) return value;
        const std::size_t dot = name.find('.');
        if (dot == std::string_view::npos) return std::nullopt;
        const std::string first = CleanName(name.substr(0, dot));
        for (const HmfObject& object : system.objects) {
          if (object.component != nullptr && object.component->name == first)
            return Own({&system, object.component.get(), nullptr}, name.substr(dot + 1), why);
        }
        return std::nullopt;
      };
      const std::optional<double> value = EvaluateHmfExpression(Trim(code.substr(equal + 1)), names, &fault);
      if (value) Assign(system, Trim(code.substr(0, equal)), *value, &fault);
      known_.clear();
    }
    if (fault) diagnostics.Error(system.place, path, "numhopscript: " + Quoted(code) + ": " + fault.ToText());
  }
  for (HmfObject& object : system.objects) {
    if (object.system != nullptr) RunScript(*object.system, path + object.system->name + '/', diagnostics);
  }
}

void HmfValues::RunScripts(Diagnostics& diagnostics) { RunScript(file_.system, "/", diagnostics); }

}  // namespace davit::hopsan
