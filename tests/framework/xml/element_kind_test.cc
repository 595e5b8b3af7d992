// The table of elements: what it says is what the reader does.

#include "framework/xml/element_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "components/register.h"
#include "framework/xml/system_loader.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

struct Given {
  std::string name, value;
};

/// A value of the right form, which names nothing that exists.
std::string ValueOf(const AttributeKind& attribute) {
  using enum AttributeKind::Form;
  switch (attribute.form) {
    case kQuantity: return "1 ms";
    case kCoordinate: return "1";
    case kChoice: return std::string(attribute.choices.front());
    case kText: return "1";
    default: return "a";
  }
}

/// The attributes that may be next to `given`.
std::vector<Given> AllWith(const ElementKind& kind, std::string_view given) {
  std::vector<Given> all;
  for (const std::string& name : kind.NamesWith(given)) all.push_back({name, ValueOf(*kind.Find(name))});
  return all;
}

class ElementKindTest : public testing::Test {
 protected:
  ElementKindTest() {
    RegisterSimulator(registry_);
    RegisterComponents(registry_);
  }

  /// What the reader says about one element, where the table has it.
  std::vector<std::string> FaultsOf(const ElementKind& kind, const std::vector<Given>& attributes) const {
    using enum ElementKind::Place;
    std::string text = "<" + std::string(kind.name);
    for (const Given& one : attributes) text.append(" " + one.name + "=\"" + one.value + "\"");
    text += kind.place == kFile ? ">" : "/>";
    if (kind.place == kLayout) text = "<Layout>" + text + "</Layout>";
    if (kind.place == kPanel) text = "<Panel name=\"panel\">" + text + "</Panel>";
    if (kind.place == kComponent)
      text = R"(<hydraulic.Cylinder name="cylinder">)" + text + "</hydraulic.Cylinder>";
    text = kind.place == kFile ? text + "</System>" : "<System>" + text + "</System>";
    Diagnostics diagnostics;
    LoadSystemText(text, "test.xml", registry_, {}, diagnostics);
    std::vector<std::string> faults;
    for (const Diagnostic& fault : diagnostics.all()) faults.push_back(fault.message());
    return faults;
  }

  Registry registry_;
};

/// `At` and `Button` have three forms, `Field` and `Note` two, all others one.
std::vector<std::string_view> FormsOf(const ElementKind& kind) {
  if (kind.name == "At" || kind.name == "Button") return {"set", "message", "event"};
  if (kind.name == "Field") return {"set", "show"};
  if (kind.name == "Note") return {"text", "picture"};
  return {""};
}

TEST_F(ElementKindTest, EachAttributeIsReadAndNoOther) {
  for (const ElementKind& kind : ElementKinds()) {
    SCOPED_TRACE(kind.name);
    EXPECT_FALSE(kind.text.empty());
    for (const std::string_view form : FormsOf(kind)) {
      std::vector<Given> all = AllWith(kind, form);
      EXPECT_THAT(
          FaultsOf(kind, all),
          Not(Contains(AnyOf(HasSubstr("no attribute"), HasSubstr("no element"), HasSubstr("no option")))))
          << form;
      if (kind.is_open) continue;
      all.push_back({"surplus", "1"});
      EXPECT_THAT(FaultsOf(kind, all), Contains(HasSubstr("no attribute 'surplus'"))) << form;
    }
  }
}

TEST_F(ElementKindTest, EachRequiredAttributeIsMissed) {
  for (const ElementKind& kind : ElementKinds()) {
    for (const std::string_view form : FormsOf(kind)) {
      const std::vector<Given> all = AllWith(kind, form);
      for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<Given> others = all;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        const auto missed = Contains(
            AnyOf(HasSubstr("has no attribute '" + all[i].name + "'"), HasSubstr("Parameter needs a name")));
        if (kind.Find(all[i].name)->is_required) {
          EXPECT_THAT(FaultsOf(kind, others), missed) << kind.name << ' ' << all[i].name;
        } else if (FormsOf(kind).size() == 1) {  // what a message needs, an event may do without
          EXPECT_THAT(FaultsOf(kind, others), Not(missed)) << kind.name << ' ' << all[i].name;
        }
      }
    }
  }
}

TEST_F(ElementKindTest, AnAttributeWithChoicesHasNoOtherValue) {
  for (const ElementKind& kind : ElementKinds()) {
    for (const AttributeKind& attribute : kind.attributes) {
      EXPECT_EQ(attribute.form == AttributeKind::Form::kChoice, !attribute.choices.empty());
      if (attribute.choices.empty()) continue;
      std::vector<Given> all = AllWith(kind, FormsOf(kind).front());
      std::erase_if(all, [&](const Given& one) { return one.name == attribute.name; });
      all.push_back({std::string(attribute.name), "other"});
      EXPECT_THAT(FaultsOf(kind, all),
                  Contains(HasSubstr("no option 'other' of " + std::string(attribute.name))))
          << kind.name;
    }
  }
}

}  // namespace
}  // namespace davit
