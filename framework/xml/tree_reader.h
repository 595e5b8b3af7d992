#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/system.h"
#include "framework/tree/item_element.h"
#include "framework/xml/element_reader.h"
#include "framework/xml/hand_down.h"
#include "framework/xml/outside_levels.h"
#include "framework/xml/panel_reader.h"
#include "framework/xml/system_source.h"
#include "framework/xml/unused_settings.h"
#include "framework/xml/value_units.h"
#include "framework/xml/xml_file.h"

namespace davit {

/// Elements that can only be understood once all components are there, each kind in the order of the files.
struct LaterElements {
  std::vector<Element> starts, exposes, connects, routes, ats, records, places, notes;
  std::vector<Element> levels;  ///< `<At>` of a schedule of levels
  std::vector<PanelSource> panels;
};

/// The first pass of loading: makes the components of a system file and of all files it includes, and sets
/// their attributes.
class TreeReader {
 public:
  /// More than `most_components` are an error.
  TreeReader(System& system, ElementReader& reader, std::size_t most_components)
      : system_(system), reader_(reader), most_components_(most_components) {}

  /// Returns false where there is nothing to continue with: no XML, or far too much of it.
  bool Read(const SystemSource& source);
  /// What chooses levels in place of the system file. Pre: Read has returned true.
  void ReadOutsideLevels(const OutsideLevels& levels);
  const LaterElements& later() const { return later_; }
  /// The parameters that attributes have set.
  const GivenParameters& given() const { return given_; }
  /// What attributes have set that equations use at times only.
  std::vector<GivenSetting> TakeConditional() { return std::move(conditional_); }

 private:
  /// The root element of a file, or null after an error. `place`: who wants it.
  const tinyxml2::XMLElement* Open(const std::filesystem::path& file, const SourceLocation& place,
                                   const Component& scope);
  const tinyxml2::XMLElement* Parse(const std::filesystem::path& key, std::string_view text,
                                    const std::string& name, const Component& scope);
  bool CheckRoot(const Element& root);
  void ReadContent(const Element& parent, Component& scope);
  using Visit = std::function<void(const Element& element)>;
  /// Visits the elements inside `parent`; those inside a `<For>` once for each repetition.
  void ForEachInside(const Element& parent, const Visit& visit);
  std::vector<Element> ListInside(const Element& parent);
  void Repeat(const Element& element, const Visit& visit);
  /// The attribute `from` or `to`; nothing after an error.
  std::optional<std::int64_t> ReadBound(const Element& element, const char* name);
  void ReadElement(const Element& element);
  void ReadComponent(const Element& element);
  /// The component of an element, without its attributes; null after an error.
  Component* MakeComponent(const Element& element);
  /// Its attributes and what is inside.
  void FillComponent(const Element& element, Component& component);
  /// Whether operators are inside `<Operators>`, and nothing else; if not, an error.
  bool CheckOperator(const Element& element, const ModelEntry& entry);
  void ReadOperators(const Element& element, const std::vector<Element>& inside);
  /// Gives a component with several behaviours the chart that its model brings along.
  void AddDefaultChart(const Element& element);
  /// The attribute `chart`: a chart of the component's own, as its part of that name.
  void ReadChart(const Element& element, const tinyxml2::XMLAttribute& attribute);
  /// The `<Level>` elements inside a component: levels of its own.
  void ReadLevels(const Component& component, const std::vector<Element>& inside);
  void ReadLevel(const Element& element);
  /// The elements that declare items of a component that takes such.
  void ReadItems(const Element& element, const std::vector<Element>& inside);
  ItemElement ReadItem(const Element& element);
  void ReadInnerElements(const Element& element, const std::vector<Element>& inside);
  /// Sets an item of the component that is the scope of `element`.
  void ReadAttribute(const Element& element, const tinyxml2::XMLAttribute& attribute);
  /// Keeps the places and notes inside of a `<Layout>`, of which a file has one.
  void ReadLayout(const Element& element);
  /// Makes a panel and keeps its elements.
  void ReadPanel(const Element& element);
  void ReadSubsystem(const Element& element);
  /// The `<Parameter>` elements of a file, with what `includer` (may be null) hands down to them.
  void ReadParameters(const Element& root, const Element* includer, Component& component);
  /// The name of a new component, or nothing after an error.
  std::optional<std::string> NewName(const Element& element);
  void AddManager();
  void ReadSchedule(const std::filesystem::path& file);
  /// The component `level_chart`.
  void AddLevelChart(const std::filesystem::path& file);
  /// Whether there may be one more element; if not, all passes stop.
  bool Count(const Element& element);

  System& system_;
  ElementReader& reader_;
  const std::size_t most_components_;
  LaterElements later_;
  GivenParameters given_;
  std::vector<GivenSetting> conditional_;
  std::vector<GivenValue> values_;  ///< of the component whose attributes are being read
  Component* manager_ = nullptr;
  std::map<std::filesystem::path, XmlDocument> documents_;  ///< null for a file that cannot be read
  std::vector<std::filesystem::path> stack_;                ///< files being read, outermost first
  std::size_t element_count_ = 0;
};

}  // namespace davit
