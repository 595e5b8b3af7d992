// <invoke>.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "framework/nearest_name.h"
#include "statecharts/content_reader.h"
#include "statecharts/processor_names.h"

namespace davit {
namespace {

constexpr int kMostInvokeLevels = 16;

}  // namespace

void ContentReader::ReadInvoke(const tinyxml2::XMLElement& element, StateId state, std::size_t number) {
  build_.CheckAttributes(
      element, state, {"type", "typeexpr", "src", "srcexpr", "id", "idlocation", "namelist", "autoforward"});
  build_.CheckOneOf(element, state, "id", "idlocation");
  build_.SetScope(element);
  Invoke invoke;
  invoke.owner = state;
  invoke.line = element.GetLineNum();
  invoke.type = build_.TextOr(element, state, "type", "typeexpr");
  invoke.source = build_.TextOr(element, state, "src", "srcexpr");
  invoke.payload = ReadPayload(element, state);
  invoke.content = invoke.payload;
  invoke.content.values.clear();
  invoke.payload.has_content = false;
  invoke.payload.content_value = kNoIndex;
  invoke.id =
      Event(ChartSource::Has(element, "id") ? ChartSource::Get(element, "id")
                                            : fmt::format("{}.invoke{}", chart_.names[state].id, number + 1));
  invoke.id_location = ChartSource::Get(element, "idlocation");
  if (!invoke.id_location.empty() && !build_.is_ecmascript()) {
    build_.Error(element, state,
                 "idlocation needs datamodel=\"ecmascript\"; give the <invoke> an id instead");
  }
  const std::string forward = ChartSource::Get(element, "autoforward");
  invoke.forwards = forward == "true";
  if (!forward.empty() && forward != "true" && forward != "false") {
    build_.Error(element, state, fmt::format("autoforward is {}; it is true or false", Quoted(forward)));
  }
  invoke.has_known_type = invoke.type.value != kNoIndex || IsScxmlService(invoke.type.text);
  if (!invoke.has_known_type) {
    build_.Warning(element, state,
                   fmt::format("nothing of type {} can be invoked; leave the type out, or write scxml",
                               Quoted(invoke.type.text)));
  }
  for (const tinyxml2::XMLElement* child : build_.source.ChildrenOf(element)) {
    if (!build_.source.Is(*child, "finalize")) continue;
    if (invoke.has_finalize) build_.Error(*child, state, "a second <finalize>; keep one");
    invoke.has_finalize = true;
    invoke.finalize = ReadBlock(*child, state);
  }
  if (invoke.has_known_type) ReadChild(element, invoke, state);
  invoke.done_event = Event("done.invoke." + chart_.symbols->Text(invoke.id));
  chart_.invokes.push_back(std::move(invoke));
}

void ContentReader::ReadChild(const tinyxml2::XMLElement& element, Invoke& invoke, StateId state) {
  const bool has_content = invoke.content.has_content || invoke.content.content_value != kNoIndex;
  if (invoke.source.is_given && has_content) {
    build_.Error(element, state, "<invoke> has a src and a <content>; keep one");
    return;
  }
  if (!invoke.source.is_given && !has_content) {
    build_.Error(element, state, "<invoke> names no chart; write <invoke src=\"file.scxml\"/>");
    return;
  }
  if (invoke.content.has_content) {
    for (const tinyxml2::XMLElement* child : build_.source.ChildrenOf(element)) {
      if (build_.source.Is(*child, "content")) LoadChild(element, invoke, state, child);
    }
  } else if (invoke.source.is_given && invoke.source.value == kNoIndex) {
    LoadChild(element, invoke, state, nullptr);
  } else if (!build_.is_ecmascript()) {
    build_.Error(element, state,
                 "srcexpr and <content expr> need datamodel=\"ecmascript\"; write src=\"file.scxml\"");
  }
}

void ContentReader::LoadChild(const tinyxml2::XMLElement& element, Invoke& invoke, StateId state,
                              const tinyxml2::XMLElement* inline_chart) {
  if (build_.options.invoke_depth >= kMostInvokeLevels) {
    build_.Error(element, state,
                 fmt::format("charts invoke each other more than {} deep; perhaps one invokes itself",
                             kMostInvokeLevels));
    return;
  }
  ChartLoadOptions options = build_.options;
  options.symbols = chart_.symbols;
  options.default_data_model = chart_.data_model;
  options.namespaces = {};
  ++options.invoke_depth;
  if (inline_chart == nullptr) {
    const std::filesystem::path file =
        ResolveSource(build_.source.PartOf(element).file(), invoke.source.text);
    if (const TextResult text = ReadTextFrom(FilesOf(options.host), file, "chart"); !text.fault.empty()) {
      build_.Error(element, state, text.fault);
      return;
    }
    if (options.cache->open.contains(std::filesystem::weakly_canonical(file))) {
      build_.Error(element, state, "the chart invokes itself; write the repetition as a transition");
      return;
    }
    invoke.child = LoadChart(file, options, build_.diagnostics);
    return;
  }
  options.namespaces = build_.source.PartOf(element).namespaces();
  if (!invoke.content.is_markup) return;  // text: whether it is a chart is seen when it is invoked
  // Blank lines before the text keep the line numbers of the file in messages.
  std::string text(static_cast<std::size_t>(std::max(inline_chart->GetLineNum() - 1, 0)), '\n');
  text += invoke.content.content;
  invoke.child =
      LoadChartText(std::move(text), build_.source.PartOf(element).file(), options, build_.diagnostics);
}

}  // namespace davit
