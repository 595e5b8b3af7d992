#include "framework/xml/element_kind.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace davit {
namespace {

// Attributes that several elements of a panel have.
constexpr auto kPath = AttributeKind::Form::kPath;
constexpr auto kQuantity = AttributeKind::Form::kQuantity;
constexpr auto kChoice = AttributeKind::Form::kChoice;

AttributeKind NameOnPanel() {
  return {"name", "Its name, once on the panel", AttributeKind::Form::kGivenName, true};
}
AttributeKind LabelOnPanel() { return {"label", "Text on the panel; default: its name"}; }
AttributeKind ShownItem() { return {"show", "The item to show", kPath, true}; }
AttributeKind WrittenItem() { return {"set", "The item to write", kPath, true}; }
AttributeKind LowEnd() { return {"low", "Lowest value; default: that of the item", kQuantity}; }
AttributeKind HighEnd() { return {"high", "Highest value; default: that of the item", kQuantity}; }
AttributeKind Neutral() {
  return {"neutral", "Value at rest; default: 0, or low if 0 is out of range", kQuantity};
}
AttributeKind DeadBand() {
  return {"dead_band", "Fraction of the way from neutral to an end that has no effect; default 0"};
}
AttributeKind Spring() {
  return {.name = "spring",
          .text = "Returns to neutral when it is let go; default true",
          .form = kChoice,
          .choices = {"true", "false"}};
}
AttributeKind Gamepad(std::string_view text, std::vector<std::string_view> choices) {
  return {.name = "gamepad", .text = text, .form = kChoice, .choices = std::move(choices)};
}
AttributeKind GamepadAxis() {
  return Gamepad("Axis of a gamepad that moves it; right and forward are positive, with - left and back",
                 {"left_x", "left_y", "right_x", "right_y", "-left_x", "-left_y", "-right_x", "-right_y"});
}

std::vector<ElementKind> PanelElementKinds() {
  constexpr auto kPanel = ElementKind::Place::kPanel;
  return {
      {.name = "Joystick",
       .text = "Stick with two axes, each of which writes an item",
       .place = kPanel,
       .attributes = {NameOnPanel(),
                      LabelOnPanel(),
                      {"x", "The item that it writes to the right", kPath, true},
                      {"y", "The item that it writes forward", kPath, true},
                      LowEnd(),
                      HighEnd(),
                      Neutral(),
                      DeadBand(),
                      Spring(),
                      Gamepad("Stick of a gamepad that moves it", {"left", "right"})}},
      {.name = "Lever",
       .text = "Lever that writes an item",
       .place = kPanel,
       .attributes = {NameOnPanel(), LabelOnPanel(), WrittenItem(), LowEnd(), HighEnd(), Neutral(),
                      DeadBand(), Spring(), GamepadAxis()}},
      {.name = "Slider",
       .text = "Lever without spring, for set points",
       .place = kPanel,
       .attributes = {NameOnPanel(), LabelOnPanel(), WrittenItem(), LowEnd(), HighEnd()}},
      {.name = "Switch",
       .text = "Writes one of two values",
       .place = kPanel,
       .attributes = {NameOnPanel(),
                      LabelOnPanel(),
                      WrittenItem(),
                      {"on", "Value when it is on; default: 1 or true"},
                      {"off", "Value when it is off; default: 0 or false"}}},
      {.name = "Button",
       .text = "Push button: sets a value, sends a message or an event",
       .place = kPanel,
       .attributes =
           {NameOnPanel(),
            LabelOnPanel(),
            {.name = "set", .text = "What gets a value", .form = kPath, .with = {"set"}},
            {.name = "value", .text = "The value", .with = {"set", "message"}},
            {.name = "message", .text = "Name of the message", .with = {"message"}},
            {.name = "to", .text = "Component that gets the message", .form = kPath, .with = {"message"}},
            {.name = "event", .text = "Name of the event, for all charts", .with = {"event"}},
            Gamepad("Button of a gamepad that presses it",
                    {"a", "b", "x", "y", "left_bumper", "right_bumper", "back", "start"})}},
      {.name = "Lamp",
       .text = "Lit while an item is above a value",
       .place = kPanel,
       .attributes = {NameOnPanel(),
                      LabelOnPanel(),
                      ShownItem(),
                      {"above", "It is lit above this value; default 0.5", kQuantity},
                      {.name = "color",
                       .text = "Default green",
                       .form = kChoice,
                       .choices = {"green", "yellow", "red", "blue"}}}},
      {.name = "Gauge",
       .text = "Pointer on a scale",
       .place = kPanel,
       .attributes = {NameOnPanel(),
                      LabelOnPanel(),
                      ShownItem(),
                      LowEnd(),
                      HighEnd(),
                      {"warning", "The scale is yellow from this value on", kQuantity},
                      {"warning_item", "An item that has this value", kPath},
                      {"alarm", "The scale is red from this value on", kQuantity},
                      {"alarm_item", "An item that has this value", kPath},
                      {.name = "bad",
                       .text = "On which side of the limits values are bad; default above",
                       .form = kChoice,
                       .choices = {"above", "below"}}}},
      {.name = "Field",
       .text = "A number to read, or to type",
       .place = kPanel,
       .attributes =
           {NameOnPanel(),
            LabelOnPanel(),
            {.name = "show", .text = "The item to show", .form = kPath, .with = {"show"}},
            {.name = "set", .text = "The item to show and to write", .form = kPath, .with = {"set"}}}},
      {.name = "ChartState",
       .text = "The active states of a statechart",
       .place = kPanel,
       .attributes = {NameOnPanel(),
                      LabelOnPanel(),
                      {"chart", "The statechart, or the component that has it", kPath, true}}},
      {.name = "AlarmList",
       .text = "Alarms, with acknowledgement",
       .place = kPanel,
       .attributes = {NameOnPanel(), LabelOnPanel(), {"from", "Glob of their paths; default *"}}},
  };
}

std::vector<ElementKind> AllElementKinds();

}  // namespace

std::string_view ToText(ElementKind::Place place) {
  switch (place) {
    case ElementKind::Place::kFile: return "file";
    case ElementKind::Place::kSystem: return "system";
    case ElementKind::Place::kComponent: return "component";
    case ElementKind::Place::kLayout: return "layout";
    case ElementKind::Place::kPanel: return "panel";
    case ElementKind::Place::kBench: return "bench";
    case ElementKind::Place::kCase: return "case";
  }
  return {};
}

std::optional<ElementKind::Place> PlaceInside(ElementKind::Content content) {
  switch (content) {
    case ElementKind::Content::kPlaces: return ElementKind::Place::kLayout;
    case ElementKind::Content::kPanelElements: return ElementKind::Place::kPanel;
    case ElementKind::Content::kBenchElements: return ElementKind::Place::kBench;
    case ElementKind::Content::kCaseElements: return ElementKind::Place::kCase;
    default: return std::nullopt;
  }
}

std::span<const ElementKind> ElementKinds() {
  static const std::vector<ElementKind> kKinds = AllElementKinds();
  return kKinds;
}

namespace {

std::vector<ElementKind> AllElementKinds() {
  using enum AttributeKind::Form;
  using enum ElementKind::Place;
  using enum ElementKind::Content;
  std::vector<ElementKind> kinds{
      {.name = "System",
       .text = "A machine, or a part of one that others include",
       .place = kFile,
       .attributes = {{"name", "Name of the system; default: that of its file"}},
       .content = kAnything},
      {.name = "Connect",
       .text = "Joins a C and a Q port of the same domain",
       .attributes = {{"from", "A port", kPath, true}, {"to", "The other port", kPath, true}}},
      {.name = "Route",
       .text = "Leads a signal to an input",
       .attributes = {{"from", "Output, state, derivative or parameter", kPath, true},
                      {"to", "Input or live parameter", kPath, true},
                      {.name = "hold",
                       .text = "none: continuous coupling, both ends in one island; step: zero-order hold, "
                               "sampled at communication points",
                       .form = kChoice,
                       .choices = {"none", "step"}}}},
      {.name = "Expose",
       .text = "Gives an inner port or item a name outside of the sub-system",
       .attributes = {{"port", "The inner port or item", kPath, true},
                      {"as", "Its name outside", kGivenName, true}}},
      {.name = "At",
       .text = "Sets a value, sends a message or an event at a time",
       .attributes = {{"time", "Simulated time", kQuantity, true},
                      {.name = "set", .text = "What gets a value", .form = kPath, .with = {"set"}},
                      {.name = "value", .text = "The value", .with = {"set", "message"}},
                      {.name = "message", .text = "Name of the message", .with = {"message"}},
                      {.name = "event", .text = "Name of the event", .with = {"event"}},
                      {.name = "to",
                       .text = "Component that gets the message or event; an event without it: all charts",
                       .with = {"message", "event"}}}},
      {.name = "Record",
       .text = "What is written to results: globs, at an interval or at times",
       .attributes = {{.name = "signals",
                       .text = "Paths and globs, with spaces between",
                       .is_required = true},
                      {"interval", "Interval between two rows", kQuantity},
                      {"times", "Individual times, or log FIRST : LAST : COUNT"}}},
      {.name = "Parameter",
       .text = "A value of the file, used as ${name}; given by the Subsystem that includes it",
       .attributes = {{"name", "Its name", kName, true},
                      {.name = "value", .text = "Value if none is given", .is_required = true},
                      {"text", "What it means"}}},
      {.name = "Plugin",
       .text = "A shared library with further models, relative to this file",
       .attributes = {{"src", "The library", kPath, true}}},
      {.name = "Subsystem",
       .text = "Includes another system file; further attributes are its parameters",
       .attributes = {{"name", "Name of the sub-system", kGivenName, true},
                      {"src", "The system file, relative to this one", kPath, true},
                      {"TimeStep", "Interval of exchange of all islands inside", kQuantity}},
       .is_open = true},
      {.name = "For",
       .text = "Repeats what is inside for name = from, from+1, ... to; {name} and formulas such as {name+1} "
               "stand for the number",
       .attributes = {{"name", "Name of the number", kName, true},
                      {.name = "from", .text = "First number", .is_required = true},
                      {.name = "to", .text = "Last number", .is_required = true}},
       .content = kAnything},
      {.name = "Panel",
       .text = "Levers, buttons and lamps of an operator",
       .attributes = {{"name", "Name of the panel", kGivenName, true},
                      {"title", "Heading; default: its name"},
                      {"timeout", "Without a sign of life for so long, the operator is lost; default 1 s",
                       kQuantity},
                      {"lost_event", "Event for all charts when the operator is lost"}},
       .content = kPanelElements},
      {.name = "Layout",
       .text = "Where drawings show components of this file, with notes",
       .content = kPlaces},
      {.name = "Place",
       .text = "The middle of a symbol, in units of the drawing: x to the right, y down",
       .place = kLayout,
       .attributes =
           {{"name", "Component of this file", kGivenName, true},
            {"x", "To the right", kCoordinate, true},
            {"y", "Down", kCoordinate, true},
            {"rotation", "Clockwise, in degrees; default 0", kChoice, false, {"0", "90", "180", "270"}},
            {"mirror",
             "Left and right change sides, before the rotation; default false",
             kChoice,
             false,
             {"true", "false"}}}},
      {.name = "Note",
       .text = "A text or a picture on the drawing, from its upper left corner to the right and down",
       .place = kLayout,
       .attributes = {{"x", "To the right", kCoordinate, true},
                      {"y", "Down", kCoordinate, true},
                      {"text", "What it says, or the text below a picture"},
                      {"width", "Lines of text are broken to fit; width of a picture, default 160",
                       kCoordinate},
                      {.name = "picture",
                       .text = "A .png or .svg file in the folder of this file or below it, at most 1 MiB",
                       .form = kPath,
                       .with = {"picture"}},
                      {.name = "height",
                       .text = "Height of a picture, which is shrunk to fit; default 120",
                       .form = kCoordinate,
                       .with = {"picture"}}}},
      {.name = "Start", .text = "Start values of states", .place = kComponent, .is_open = true},
      {.name = "Level",
       .text = "A custom level: options of the aspects",
       .place = kComponent,
       .attributes = {{"name", "Name of the new level", kGivenName, true},
                      {"base", "Level that gives the options not set here", kPath, true}},
       .is_open = true},
  };
  std::ranges::move(PanelElementKinds(), std::back_inserter(kinds));
  return kinds;
}

}  // namespace

const ElementKind& ComponentElement() {
  using enum AttributeKind::Form;
  static const ElementKind kKind{.name = "",
                                 .text = "A component: the element is its model",
                                 .attributes = {{"name", "Name of the component", kGivenName, true},
                                                {"level", "Level of detail", kPath},
                                                {"chart", "File of a statechart for this component", kPath}},
                                 .content = ElementKind::Content::kAnything,
                                 .is_open = true};
  return kKind;
}

const AttributeKind* ElementKind::Find(std::string_view attribute) const {
  const auto found = std::ranges::find(attributes, attribute, &AttributeKind::name);
  return found == attributes.end() ? nullptr : &*found;
}

std::vector<std::string> ElementKind::NamesWith(std::string_view given) const {
  std::vector<std::string> names;
  for (const AttributeKind& attribute : attributes) {
    const auto& with = attribute.with;
    if (with.empty() || std::ranges::find(with, given) != with.end()) names.emplace_back(attribute.name);
  }
  return names;
}

const ElementKind* FindElementKind(std::string_view name) {
  const std::span<const ElementKind> kinds = ElementKinds();
  const auto found = std::ranges::find(kinds, name, &ElementKind::name);
  return found == kinds.end() ? nullptr : &*found;
}

const ElementKind& GetElementKind(std::string_view name) {
  const ElementKind* const kind = FindElementKind(name);
  assert(kind != nullptr);
  return *kind;
}

}  // namespace davit
