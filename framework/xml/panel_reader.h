#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/system.h"
#include "framework/tree/operator_panel.h"
#include "framework/xml/element_reader.h"

namespace davit {

/// A `<Panel>` and what is inside; the scope of all of them is the panel.
struct PanelSource {
  Element panel;
  std::vector<Element> inside;
};

/// The pass of loading that gives panels their elements, once all items, routes and charts are there. Paths
/// are seen from the system or sub-system that contains the panel.
class PanelReader {
 public:
  PanelReader(const System& system, ElementReader& reader) : system_(system), reader_(reader) {}

  void Read(const std::vector<PanelSource>& panels);

 private:
  void ReadPanel(const PanelSource& source);
  /// After an error it may lack what was wrong.
  PanelElement ReadElement(const Element& element);
  void ReadLever(const Element& element, const std::vector<const char*>& items, PanelElement& read);
  void ReadSwitch(const Element& element, PanelElement& read);
  void ReadButton(const Element& element, PanelElement& read);
  void ReadLamp(const Element& element, PanelElement& read);
  void ReadGauge(const Element& element, PanelElement& read);
  /// The mark `severity` of a gauge that shows `shown`.
  void ReadLimit(const Element& element, const char* severity, const Item& shown, PanelElement& read);
  void ReadField(const Element& element, PanelElement& read);
  void ReadChart(const Element& element, PanelElement& read);
  void ReadAlarms(const Element& element, PanelElement& read);

  // All of these return nothing after an error.
  /// The item that an attribute names: to be written while the system runs, or read.
  std::optional<Item> FindItem(const Element& element, const char* attribute, bool is_written);
  /// The same for a number.
  std::optional<Item> FindNumber(const Element& element, const char* attribute, bool is_written);
  /// A value of `item` that an attribute gives; nothing if there is no such attribute, too.
  std::optional<double> FindValue(const Element& element, const char* attribute, const Item& item);
  /// `low` and `high`, else the ends of the range of the item.
  std::optional<Range> FindEnds(const Element& element, const Item& item);
  double ReadDeadBand(const Element& element);
  /// The option of an attribute that has some; the first without one, or `otherwise`.
  std::string_view ChoiceOf(const Element& element, const char* attribute, std::string_view otherwise = {});
  /// Reports a fault of a name that nothing else explains.
  void ReportName(const Element& element, const char* attribute, std::string_view path, const Fault& fault);

  const System& system_;
  ElementReader& reader_;
};

}  // namespace davit
