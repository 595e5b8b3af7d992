#include <gtest/gtest.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "hopsan/component.h"
#include "hopsan/register.h"

namespace davit::hopsan {
namespace {

struct Described {
  std::set<std::string> ports;            ///< power and multi-signal ports, `P1:H`, `P1:H*`
  std::map<std::string, double> numbers;  ///< constants, inputs, outputs with their defaults
  char kind = ' ';
};

std::vector<std::string> Parts(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    part.erase(0, part.find_first_not_of(' '));
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

/// `name=1e-3 unit`, without what is no number; `out name` is an output of the start value 0.
void AddNumber(std::string text, Described& type) {
  if (text.starts_with("out ")) text.erase(0, 4);
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == std::string::npos) {
    type.numbers[name] = 0;
    return;
  }
  const std::string value = text.substr(equals + 1);
  double number = 0;
  if (value.starts_with("true") || value.starts_with("false")) {
    type.numbers[name] = value.starts_with("true") ? 1 : 0;
  } else if (std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc{}) {
    type.numbers[name] = number;
  }
}

/// A port without the mark of a reading or optional one: `P1:H r`, `PREF:H?`.
std::string PortOf(const std::string& text) {
  std::string port = text.substr(0, text.find(' '));
  std::erase(port, '?');
  return port;
}

std::map<std::string, Described> ReadList(const std::filesystem::path& file) {
  std::map<std::string, Described> types;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('#')) continue;
    std::vector<std::string> columns;
    std::istringstream rest(line + '\t');
    for (std::string column; std::getline(rest, column, '\t');) columns.push_back(column);
    columns.resize(5);
    Described& type = types[columns[0]];
    type.kind = columns[1].empty() ? ' ' : columns[1][0];
    for (const std::string& port : Parts(columns[2], ',')) type.ports.insert(PortOf(port));
    for (const std::string& constant : Parts(columns[3], ',')) {
      if (!constant.ends_with("(string)") && constant.find('=') != std::string::npos)
        AddNumber(constant, type);
    }
    for (const std::string& variable : Parts(columns[4], ',')) AddNumber(variable, type);
  }
  return types;
}

std::string LetterOf(const Domain& domain) {
  static const std::map<std::string_view, std::string> kLetters{
      {"hopsan_hydraulic", "H"}, {"hopsan_mechanic", "M"},  {"hopsan_rotational", "R"},
      {"hopsan_electric", "E"},  {"hopsan_pneumatic", "P"}, {"hopsan_signal_2d", "Signal2D"}};
  const auto letter = kLetters.find(domain.name);
  return letter == kLetters.end() ? std::string(domain.name) : letter->second;
}

Described Describe(const HopsanComponent& component) {
  Described type;
  const Declarations& declared = component.declarations();
  type.kind = "SCQ"[static_cast<int>(component.phase())];
  for (const PortDeclaration& port : declared.ports)
    type.ports.insert(std::string(port.label.name) + ':' + LetterOf(*port.domain) +
                      (port.is_array ? "*" : ""));
  for (const InputDeclaration& input : declared.inputs) {
    if (input.is_array) {
      type.ports.insert(std::string(input.label.name) + ":S*");
    } else {
      type.numbers[std::string(input.label.name)] = input.default_value;
    }
  }
  for (const ParameterDeclaration& parameter : declared.parameters)
    type.numbers[std::string(parameter.label.name)] = parameter.default_value;
  for (std::size_t i = 0; i < component.outs().size(); ++i)
    type.numbers[std::string(declared.outputs[i].label.name)] = component.outs()[i]->start();
  return type;
}

// Each type has the ports, names and defaults of Hopsan's own.
TEST(HopsanTypeList, AgreesWithThatOfHopsan) {
  const std::filesystem::path file =
      std::filesystem::path(DAVIT_REFERENCE_DIR) / "reference" / "hopsan-types.tsv";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no list of Hopsan's types";
  const std::map<std::string, Described> types = ReadList(file);
  ASSERT_GT(types.size(), 300U);
  Registry registry;
  RegisterHopsan(registry);
  std::size_t compared = 0;
  for (const ModelEntry* entry : registry.entries()) {
    const std::string name(entry->info->name.substr(entry->info->name.find('.') + 1));
    const auto expected = types.find(name);
    if (expected == types.end() || expected->second.kind == '?') continue;  // sub-systems
    const auto place = std::make_unique<std::byte[]>(entry->size + entry->alignment);
    void* at = place.get();
    std::size_t space = entry->size + entry->alignment;
    Component* const made = entry->construct(std::align(entry->alignment, entry->size, at, space));
    const auto* const component = dynamic_cast<HopsanComponent*>(made);
    if (component == nullptr) {
      made->~Component();
      continue;
    }
    SCOPED_TRACE(name);
    Described described = Describe(*component);
    EXPECT_EQ(described.kind, expected->second.kind);
    for (const std::string& port : expected->second.ports) {
      if (port.ends_with(":H") || port.ends_with(":M") || port.ends_with(":R") || port.ends_with(":E")) {
        const bool is_sensor = expected->second.kind == 'S';
        EXPECT_TRUE(is_sensor || described.ports.contains(port)) << port;
      } else {
        EXPECT_TRUE(described.ports.contains(port)) << port;
      }
    }
    for (const auto& [variable, value] : described.numbers) {
      const auto there = expected->second.numbers.find(variable);
      ASSERT_TRUE(there != expected->second.numbers.end()) << variable;
      EXPECT_NEAR(value, there->second, 1e-5 * std::abs(there->second)) << variable;  // six digits
    }
    ++compared;
    made->~Component();
  }
  EXPECT_GE(compared, 140U);
}

}  // namespace
}  // namespace davit::hopsan
