#include "framework/xml/system_description.h"

#include <cstdint>

namespace davit {
namespace {

using tinyxml2::XMLElement;

// tinyxml2 counts the lines of a text that it parses, and lets nobody set them.
void SetLine(XMLElement& element, int line) {
  element.SetUserData(reinterpret_cast<void*>(static_cast<std::intptr_t>(line)));
}

class Printer final : public tinyxml2::XMLPrinter {
  void PrintSpace(int depth) override {
    for (int i = 0; i < depth; ++i) Write("  ");
  }
};

}  // namespace

SystemDescription::SystemDescription(std::string_view name) : document_(new tinyxml2::XMLDocument) {
  document_->InsertEndChild(document_->NewElement("System"));
  root().SetAttribute("name", std::string(name).c_str());
}

SystemDescription SystemDescription::Copy() const {
  SystemDescription copy(std::string_view{});
  copy.root().SetName(root().Name());
  copy.root().DeleteAttribute("name");
  SetLine(copy.root(), LineOf(root()));
  CopyInto(root(), copy.root());
  return copy;
}

std::string SystemDescription::ToXml() const {
  Printer printer;
  printer.PushDeclaration(R"(xml version="1.0" encoding="UTF-8")");
  root().Accept(&printer);
  return printer.CStr();
}

XMLElement& AddElement(XMLElement& parent, std::string_view name, int line) {
  XMLElement& element = *parent.InsertNewChildElement(std::string(name).c_str());
  SetLine(element, line);
  return element;
}

void CopyInto(const XMLElement& from, XMLElement& to) {
  for (const auto* a = from.FirstAttribute(); a != nullptr; a = a->Next())
    to.SetAttribute(a->Name(), a->Value());
  for (const tinyxml2::XMLNode* node = from.FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (const XMLElement* const element = node->ToElement()) {
      CopyInto(*element, AddElement(to, element->Name(), LineOf(*element)));
    } else {
      to.InsertEndChild(node->ShallowClone(to.GetDocument()));
    }
  }
}

int LineOf(const XMLElement& element) {
  const int line = element.GetLineNum();
  return line > 0 ? line : static_cast<int>(reinterpret_cast<std::intptr_t>(element.GetUserData()));
}

}  // namespace davit
