// <send> and the data that goes with events.

#include <fmt/format.h>

#include <array>
#include <utility>

#include "framework/nearest_name.h"
#include "statecharts/content_reader.h"
#include "statecharts/processor_names.h"
#include "statecharts/time_text.h"

namespace davit {

void ContentReader::ReadSend(const tinyxml2::XMLElement& element, StateId state) {
  build_.CheckAttributes(element, state,
                         {"event", "eventexpr", "target", "targetexpr", "type", "typeexpr", "id",
                          "idlocation", "delay", "delayexpr", "namelist"});
  build_.CheckOneOf(element, state, "id", "idlocation");
  Send send;
  send.event = build_.TextOr(element, state, "event", "eventexpr");
  send.target = build_.TextOr(element, state, "target", "targetexpr");
  send.type = build_.TextOr(element, state, "type", "typeexpr");
  send.delay = build_.TextOr(element, state, "delay", "delayexpr", ValueType::kNumber);
  send.payload = ReadPayload(element, state);
  if (!send.event.text.empty()) send.event_symbol = Event(send.event.text);
  if (ChartSource::Has(element, "id")) send.id = Event(ChartSource::Get(element, "id"));
  send.id_location = ChartSource::Get(element, "idlocation");
  if (!send.id_location.empty() && !build_.is_ecmascript()) {
    build_.Error(element, state, "idlocation needs datamodel=\"ecmascript\"; give the <send> an id instead");
  }
  if (!send.event.is_given && !send.payload.has_content && send.payload.content_value == kNoIndex) {
    build_.Error(element, state, "<send> has no event; write <send event=\"...\"/>");
  }
  if (send.delay.is_given && send.delay.value == kNoIndex && !send.delay.text.empty()) {
    const std::optional<double> delay = ParseTime(send.delay.text);
    if (!delay) {
      build_.Error(
          element, state,
          fmt::format("the delay is {}; write a time such as 2s, 0.5s or 200ms", Quoted(send.delay.text)));
    }
    send.delay_seconds = delay.value_or(0);
  }
  ReadSendTarget(element, send, state);
  chart_.sends.push_back(std::move(send));
  Emit(Op::kSend, static_cast<Index>(chart_.sends.size() - 1), element);
}

void ContentReader::ReadSendTarget(const tinyxml2::XMLElement& element, Send& send, StateId state) {
  const std::string& target = send.target.text;
  send.has_known_type =
      send.type.value != kNoIndex || !send.type.is_given || IsScxmlProcessor(send.type.text);
  if (send.target.value != kNoIndex) return;
  if (target.empty()) {
    send.kind = SendTarget::kSelf;
  } else if (target == "#_internal") {
    send.kind = SendTarget::kInternal;
    if (send.delay_seconds > 0 || send.delay.value != kNoIndex) {
      build_.Error(element, state, "an event to #_internal has no delay; remove the delay or the target");
    }
  } else if (target == "#_parent") {
    send.kind = SendTarget::kParent;
  } else if (!target.starts_with("#_") && build_.options.host != nullptr &&
             build_.options.host->knows_receivers() && !send.type.is_given) {
    ReadReceiver(element, send, state);
  } else if (!target.starts_with("#_")) {
    build_.Warning(element, state,
                   fmt::format("no target {}; use one of #_internal, #_parent, #_INVOKEID, #_scxml_SESSION",
                               Quoted(target)));
  }
  if (!send.has_known_type) {
    build_.Warning(
        element, state,
        fmt::format("no event processor {}; leave the type out, or write scxml", Quoted(send.type.text)));
  }
}

/// A message to a component, or an event to its chart.
void ContentReader::ReadReceiver(const tinyxml2::XMLElement& element, Send& send, StateId state) {
  ChartHost& host = *build_.options.host;
  const std::string& target = send.target.text;
  if (const auto message = host.FindMessage(target, send.event.text)) {
    send.kind = SendTarget::kComponent;
    send.receiver = *message;
    if (!send.payload.values.empty() || send.payload.has_content || send.payload.content_value != kNoIndex) {
      build_.Error(element, state, "a message to a component has no data; remove it");
    }
  } else if (const auto receiver = host.FindReceiver(target)) {
    send.kind = SendTarget::kChart;
    send.receiver = *receiver;
  } else {
    build_.Error(element, state,
                 fmt::format("no component {} takes the message {}; {}", Quoted(target),
                             Quoted(send.event.text), host.Suggest(target)));
  }
}

Payload ContentReader::ReadPayload(const tinyxml2::XMLElement& element, StateId state) {
  Payload payload;
  ReadNamelist(element, payload, state);
  const bool is_invoke = build_.source.Is(element, "invoke");
  std::size_t contents = 0;
  for (const tinyxml2::XMLElement* child : build_.source.ChildrenOf(element)) {
    if (build_.source.Is(*child, "param")) {
      ReadParam(*child, payload, state);
    } else if (build_.source.Is(*child, "content")) {
      if (++contents > 1) build_.Error(*child, state, "a second <content>; keep one");
      ReadContentElement(*child, payload, state);
    } else if (!is_invoke || !build_.source.Is(*child, "finalize")) {
      build_.Error(*child, state,
                   fmt::format("<{}> is not allowed in <{}>; it has <param> and <content>",
                               build_.source.NameOf(*child), build_.source.NameOf(element)));
    }
  }
  if (contents > 0 && !payload.values.empty() && !is_invoke) {
    build_.Error(element, state,
                 fmt::format("<{}> has a <content> besides a <param> or a namelist; keep one kind",
                             build_.source.NameOf(element)));
  }
  if (!build_.is_ecmascript() && payload.values.size() > Event::kMaxFields) {
    build_.Error(element, state, fmt::format("an event carries at most {} values", Event::kMaxFields));
  }
  return payload;
}

void ContentReader::ReadParam(const tinyxml2::XMLElement& element, Payload& payload, StateId state) {
  build_.CheckAttributes(element, state, {"name", "expr", "location"});
  build_.CheckOneOf(element, state, "expr", "location");
  if (!build_.Require(element, state, "name")) return;
  NamedValue value;
  value.name = ChartSource::Get(element, "name");
  value.symbol = Event(value.name);
  value.is_location = ChartSource::Has(element, "location");
  if (!value.is_location && !build_.Require(element, state, "expr")) return;
  value.value =
      build_.Expression(element, value.is_location ? "location" : "expr", ValueType::kAnyType, state);
  payload.values.push_back(value);
}

void ContentReader::ReadNamelist(const tinyxml2::XMLElement& element, Payload& payload, StateId state) {
  for (const std::string& name : SplitWords(ChartSource::Get(element, "namelist"))) {
    NamedValue value{name, Event(name), kNoIndex, true};
    if (build_.is_ecmascript()) {
      value.value = build_.PlainExpression(name, element.GetLineNum());
    } else {
      const ExpressionCompiler::Result result = build_.davit.Compile(name, ValueType::kAnyType);
      if (result.fault) build_.Error(element, state, "namelist: " + result.fault.ToText());
      value.value = build_.CompiledExpression(name, element.GetLineNum(), result);
    }
    payload.values.push_back(value);
  }
}

void ContentReader::ReadContentElement(const tinyxml2::XMLElement& element, Payload& payload, StateId state) {
  build_.CheckAttributes(element, state, {"expr"});
  if (ChartSource::Has(element, "expr")) {
    payload.content_value = build_.Expression(element, "expr", ValueType::kAnyType, state);
    return;
  }
  payload.has_content = true;
  payload.is_markup = ChartSource::HasElements(element);
  payload.content = payload.is_markup ? std::string(build_.source.PlacesOf(element).InnerText(element))
                                      : ChartSource::TextOf(element);
  if (build_.is_ecmascript() || payload.is_markup) return;
  // A number, a boolean or a quoted string, so that events of the data model davit can carry it.
  const ExpressionCompiler::Result result = build_.davit.Compile(payload.content, ValueType::kAnyType);
  if (result.fault) {
    build_.Error(element, state, "content: " + result.fault.ToText());
    return;
  }
  payload.has_content = false;
  payload.content_value = build_.CompiledExpression(payload.content, element.GetLineNum(), result);
}

void ContentReader::ReadDoneData(const tinyxml2::XMLElement& element, StateId state) {
  build_.SetScope(element);
  build_.CheckAttributes(element, state, {});
  if (chart_.states[state].done_data != kNoIndex)
    build_.Error(element, state, "a second <donedata>; keep one");
  chart_.payloads.push_back(ReadPayload(element, state));
  chart_.states[state].done_data = static_cast<Index>(chart_.payloads.size() - 1);
}

}  // namespace davit
