// Events between sessions, and the child charts that states invoke.

#include <utility>

#include "framework/xml/xml_file.h"
#include "statecharts/chart_loader.h"
#include "statecharts/interpreter.h"
#include "statecharts/processor_names.h"
#include "statecharts/session_table.h"

namespace davit {

Interpreter::Delivery Interpreter::Dispatch(const davit::Send& send, SendTarget kind, std::string_view target,
                                            Event event) {
  constexpr std::string_view kSession = "#_scxml_";
  constexpr std::string_view kTerm = "#_";
  switch (kind) {
    case SendTarget::kInternal:
      event.type = EventType::kInternal;
      event.origin = 0;
      RaiseInternal(std::move(event));
      return Delivery::kDelivered;
    case SendTarget::kSelf:
      event.invoke_id = kNoSymbol;
      Send(std::move(event));
      return Delivery::kDelivered;
    case SendTarget::kParent:
      if (parent_ == nullptr || !parent_->is_running()) return Delivery::kUnreachable;
      if (!is_cancelled_) parent_->Send(std::move(event));
      return Delivery::kDelivered;
    case SendTarget::kComponent: table_.host_->SendMessage(send.receiver); return Delivery::kDelivered;
    case SendTarget::kChart:
      event.invoke_id = kNoSymbol;
      event.origin = 0;  // sessions are numbered within a chart
      if (!table_.host_->SendEvent(send.receiver, std::move(event))) ++lost_events_;
      return Delivery::kDelivered;
    case SendTarget::kOther: break;
  }
  if (!target.starts_with(kTerm)) return Delivery::kIllegal;
  event.invoke_id = kNoSymbol;
  if (target.starts_with(kSession)) {
    Interpreter* const session = table_.FindSession(target.substr(kSession.size()));
    if (session == nullptr) return Delivery::kUnreachable;
    if (session == parent_) event.invoke_id = invoke_id_;
    session->Send(std::move(event));
    return Delivery::kDelivered;
  }
  for (Index i = 0; i < children_.size(); ++i) {
    Interpreter* const child = children_[i];
    if (child == nullptr || child->phase_ == Phase::kEnded || child->phase_ == Phase::kNotStarted) continue;
    if (chart_->symbols->Text(child->invoke_id_) != target.substr(kTerm.size())) continue;
    child->Send(std::move(event));
    return Delivery::kDelivered;
  }
  return Delivery::kUnreachable;
}

void Interpreter::InvokePending() {
  if (chart_->invokes.empty()) return;
  states_to_invoke_.ForEach([this](StateId state) {
    const IndexRange invokes = chart_->states[state].invokes;
    if (!configuration_.Contains(state)) return;
    for (Index i = invokes.begin; i < invokes.end; ++i) StartInvocation(i);
  });
  states_to_invoke_.Clear();
}

void Interpreter::StartInvocation(Index index) {
  const Invoke& invoke = chart_->invokes[index];
  const ErrorPlace place{"invoke", invoke.line};
  std::string type;
  if (!invoke.id_location.empty() &&
      !data_model_->AssignText(invoke.id_location, chart_->symbols->Text(invoke.id))) {
    return RaiseExecutionError(place);
  }
  if (invoke.type.value != kNoIndex && !TextOf(invoke.type, type)) return RaiseExecutionError(place);
  if (!invoke.has_known_type || !IsScxmlService(type)) {
    return RaiseError(chart_->error_execution, place, "nothing of this type can be invoked");
  }
  Event given;
  if (!data_model_->MakePayload(invoke.payload, given)) {
    return RaiseExecutionError(place);
  }
  std::string fault;
  std::shared_ptr<const Chart> chart = FindChild(invoke, fault);
  if (chart == nullptr) return RaiseError(chart_->error_execution, place, fault);
  Interpreter*& child = children_[index];
  if (child == nullptr || child->chart_ != chart) {
    if (table_.sessions_.size() >= table_.limits_.most_sessions) {
      return RaiseError(chart_->error_communication, place, "there are too many sessions");
    }
    child = &table_.Add(std::move(chart));
  }
  child->done_event_ = invoke.done_event;
  table_.Begin(*child, this, invoke.id, std::move(given));
}

std::shared_ptr<const Chart> Interpreter::FindChild(const Invoke& invoke, std::string& fault) {
  if (invoke.child != nullptr) return invoke.child;
  std::string text = invoke.content.content;
  std::filesystem::path file = chart_->file;
  if (invoke.content.content_value != kNoIndex || invoke.source.value != kNoIndex) {
    const bool is_content = invoke.content.content_value != kNoIndex;
    if (!data_model_->EvaluateText(is_content ? invoke.content.content_value : invoke.source.value, text)) {
      fault = data_model_->fault();
      return nullptr;
    }
    if (!is_content) {
      file = ResolveSource(chart_->file, text);
      TextResult read = ReadTextFrom(FilesOf(table_.host_), file);
      fault = read.fault;
      if (!fault.empty()) return nullptr;
      text = std::move(read.text);
    }
  }
  Diagnostics diagnostics;
  ChartLoadOptions options;
  options.host = table_.host_;
  options.symbols = chart_->symbols;
  options.default_data_model = chart_->data_model;
  std::shared_ptr<const Chart> chart = LoadChartText(std::move(text), file, options, diagnostics);
  if (chart == nullptr) fault = ToText(diagnostics.all().front());
  return chart;
}

void Interpreter::CancelInvocations(StateId state) {
  const IndexRange invokes = chart_->states[state].invokes;
  states_to_invoke_.Erase(state);
  for (Index i = invokes.begin; i < invokes.end; ++i) {
    if (children_[i] != nullptr) children_[i]->ExitInterpreter(true);
  }
}

void Interpreter::ApplyFinalize(const Event& event) {
  if (event.invoke_id == kNoSymbol) return;
  for (Index i = 0; i < children_.size(); ++i) {
    const Invoke& invoke = chart_->invokes[i];
    if (invoke.id != event.invoke_id || !invoke.has_finalize || !configuration_.Contains(invoke.owner))
      continue;
    if (invoke.finalize != kNoIndex) ExecuteBlock(invoke.finalize);
  }
}

void Interpreter::AutoForward(const Event& event) {
  for (Index i = 0; i < children_.size(); ++i) {
    const bool is_meant =
        chart_->invokes[i].forwards && children_[i] != nullptr && children_[i]->is_running();
    if (is_meant && configuration_.Contains(chart_->invokes[i].owner)) children_[i]->Send(event.Copy());
  }
}

void Interpreter::SendDone() {
  if (parent_ == nullptr || !parent_->is_running()) return;
  Event done = std::move(done_data_);
  done.name = done_event_;
  done.type = EventType::kPlatform;
  done.invoke_id = invoke_id_;
  parent_->Send(std::move(done));
}

}  // namespace davit
