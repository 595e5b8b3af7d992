#pragma once

#include <initializer_list>
#include <string>
#include <utility>

namespace davit {

/// `<component>` of a model of Hopsan, with its parameters.
inline std::string HmfComponent(const std::string& type, const std::string& name,
                                std::initializer_list<std::pair<const char*, std::string>> values = {}) {
  std::string text = "<component typename='" + type + "' name='" + name + "'><parameters>";
  for (const auto& [key, value] : values)
    text += std::string("<parameter name='") + key + "' value='" + value + "' type='double'/>";
  return text + "</parameters></component>";
}

/// `<connect>` of one of its ports to another: `pump.P2`, `line.P1`.
inline std::string HmfConnect(const std::string& from, const std::string& to) {
  const auto port = [](const char* end, const std::string& path) {
    const std::size_t dot = path.find('.');
    return std::string(end) + "component='" + path.substr(0, dot) + "' " + end + "port='" +
           path.substr(dot + 1) + "' ";
  };
  return "<connect " + port("start", from) + port("end", to) + "/>";
}

/// A whole file: steps of 0.1 ms up to `stop`.
inline std::string HmfModel(const std::string& components, const std::string& connections,
                            const std::string& stop) {
  return "<hopsanmodelfile hmfversion='0.4' hopsancoreversion='2.24.0'><system typename='Subsystem' "
         "name='test'><simulationtime start='0' timestep='0.0001' stop='" +
         stop + "'/><simulationlogsettings numsamples='101'/><objects>" + components +
         "</objects><connections>" + connections + "</connections></system></hopsanmodelfile>";
}

}  // namespace davit
