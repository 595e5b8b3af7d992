#include "hopsan/import/hmf_parameters.h"

#include "framework/nearest_name.h"
#include "framework/xml/xml_file.h"
#include "hopsan/import/hmf_values.h"

namespace davit::hopsan {
namespace {

using tinyxml2::XMLElement;

constexpr XmlKind kParameterFile{.noun = "parameter file of Hopsan",
                                 .root = "hopsanparameterfile",
                                 .most_levels = 90,
                                 .remedy = "it needs about five levels"};

class ParameterFileReader {
 public:
  ParameterFileReader(const std::filesystem::path& file, Diagnostics& diagnostics)
      : file_(std::make_shared<const std::string>(file.string())), diagnostics_(diagnostics) {}

  void Read(const std::filesystem::path& path, HmfSystem& system, const FileSource* files) {
    const TextResult read = ReadTextFrom(files, path, kParameterFile.noun);
    if (!read.fault.empty()) return diagnostics_.Error({file_, 0}, {}, read.fault);
    const XmlResult xml = ParseXml(read.text, kParameterFile);
    if (xml.document == nullptr) return diagnostics_.Error({file_, xml.line}, {}, xml.fault);
    const XMLElement& root = *xml.document->RootElement();
    const XMLElement* const top = root.FirstChildElement("system");
    if (std::string_view(root.Name()) != kParameterFile.root || top == nullptr) {
      return diagnostics_.Error({file_, root.GetLineNum()}, {},
                                "no hopsanparameterfile with an element 'system'; name a parameter file of "
                                "Hopsan (.hpf)");
    }
    ReadSystem(*top, system, "/");
  }

 private:
  void ReadValues(const XMLElement& element, std::vector<HmfParameter>& parameters, bool may_add,
                  const std::string& path) {
    const XMLElement* const list = element.FirstChildElement("parameters");
    for (const XMLElement* p = list == nullptr ? nullptr : list->FirstChildElement("parameter"); p != nullptr;
         p = p->NextSiblingElement("parameter")) {
      const char* const name = p->Attribute("name");
      const char* const value = p->Attribute("value");
      if (name == nullptr || value == nullptr) continue;
      bool is_known = false;
      for (HmfParameter& one : parameters) {
        if (BaseName(one.name) != BaseName(name)) continue;
        one.value = value;
        is_known = true;
      }
      if (is_known) continue;
      if (may_add) {
        parameters.push_back({name, value, {}, {file_, p->GetLineNum()}});
      } else {
        diagnostics_.Warning({file_, p->GetLineNum()}, path,
                             "the model has no system parameter " + Quoted(name) + "; it is ignored");
      }
    }
  }
  void ReadSystem(const XMLElement& element, HmfSystem& system, const std::string& path) {
    ReadValues(element, system.parameters, false, path);
    const XMLElement* const objects = element.FirstChildElement("objects");
    const XMLElement& content = objects == nullptr ? element : *objects;
    for (const XMLElement* o = content.FirstChildElement(); o != nullptr; o = o->NextSiblingElement()) {
      const std::string_view kind = o->Name();
      if (kind != "component" && kind != "system") continue;
      const char* const text = o->Attribute("name");
      const std::string name = CleanName(text == nullptr ? "" : text);
      bool is_known = false;
      for (HmfObject& object : system.objects) {
        if (kind == "component" && object.component != nullptr && object.component->name == name) {
          ReadValues(*o, object.component->parameters, true, path + name);
          is_known = true;
        } else if (kind == "system" && object.system != nullptr && object.system->name == name) {
          ReadSystem(*o, *object.system, path + name + '/');
          is_known = true;
        }
      }
      if (!is_known)
        diagnostics_.Warning(
            {file_, o->GetLineNum()}, path,
            "the model has no " + std::string(kind) + ' ' + Quoted(name) + "; it is ignored");
    }
  }

  std::shared_ptr<const std::string> file_;
  Diagnostics& diagnostics_;
};

}  // namespace

void ApplyParameterFile(const std::filesystem::path& file, HmfSystem& system, const FileSource* files,
                        Diagnostics& diagnostics) {
  ParameterFileReader(file, diagnostics).Read(file, system, files);
}

}  // namespace davit::hopsan
