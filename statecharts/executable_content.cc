// What the elements of executable content do.

#include <fmt/format.h>

#include <utility>

#include "statecharts/interpreter.h"
#include "statecharts/processor_names.h"
#include "statecharts/session_table.h"
#include "statecharts/time_text.h"

namespace davit {
namespace {

std::string_view ElementOf(Op op) {
  switch (op) {
    case Op::kRaise: return "raise";
    case Op::kSend: return "send";
    case Op::kCancel: return "cancel";
    case Op::kJumpUnless:
    case Op::kJump: return "if";
    case Op::kForeach: return "foreach";
    case Op::kAssign: return "assign";
    case Op::kLog: return "log";
    case Op::kScript: return "script";
  }
  return {};
}

std::string QuoteJson(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return quoted + '"';
}

}  // namespace

Interpreter::ErrorPlace Interpreter::PlaceOf(const Instruction& instruction) {
  return {ElementOf(instruction.op), instruction.line, instruction.column, instruction.file};
}

void Interpreter::ExecuteBlocks(IndexRange blocks) {
  // An error ends its own block only.
  for (Index block = blocks.begin; block < blocks.end; ++block) ExecuteBlock(block);
}

bool Interpreter::ExecuteBlock(Index block) {
  return Execute(chart_->blocks[block].begin, chart_->blocks[block].end);
}

bool Interpreter::Execute(Index begin, Index end) {
  for (Index at = begin; at < end;) {
    const Instruction& instruction = chart_->instructions[at++];
    switch (instruction.op) {
      case Op::kRaise:
        if (!RaiseInternal(Event(instruction.index, EventType::kInternal))) return false;
        break;
      case Op::kSend:
        if (!ExecuteSend(instruction)) return false;
        break;
      case Op::kCancel:
        if (!ExecuteCancel(chart_->cancels[instruction.index])) {
          RaiseExecutionError(PlaceOf(instruction));
          return false;
        }
        break;
      case Op::kJump: at = instruction.jump; break;
      case Op::kJumpUnless: {
        bool is_true = false;
        const std::optional<bool> decided =
            table_.watch_ == nullptr ? std::nullopt : table_.watch_->DecideIf(*this, instruction.index);
        // A condition that fails counts as false, and the content continues.
        if (decided) {
          is_true = *decided;
        } else if (!data_model_->EvaluateCondition(instruction.index, is_true)) {
          RaiseExecutionError(PlaceOf(instruction));
        }
        if (!is_true) at = instruction.jump;
        break;
      }
      case Op::kForeach:
        if (!ExecuteForeach(instruction, at)) return false;
        at = instruction.jump;
        break;
      case Op::kAssign:
        if (!data_model_->Assign(chart_->assignments[instruction.index])) {
          RaiseExecutionError(PlaceOf(instruction));
          return false;
        }
        break;
      case Op::kLog: ExecuteLog(instruction); break;
      case Op::kScript:
        if (!data_model_->RunScript(instruction.index)) {
          RaiseExecutionError(PlaceOf(instruction));
          return false;
        }
        break;
    }
  }
  return true;
}

bool Interpreter::ExecuteForeach(const Instruction& instruction, Index begin) {
  bool has_failed_inside = false;
  auto body = [&] {
    has_failed_inside = !Execute(begin, instruction.jump);
    return !has_failed_inside;
  };
  if (!data_model_->ForEach(chart_->loops[instruction.index], LoopBody(body))) {
    if (!has_failed_inside) RaiseExecutionError(PlaceOf(instruction));
    return false;
  }
  return true;
}

void Interpreter::ExecuteLog(const Instruction& instruction) {
  const Log& log = chart_->logs[instruction.index];
  if (observer_ == nullptr && chart_->data_model != DataModelKind::kEcmascript) return;
  std::string text;
  if (log.value != kNoIndex && !data_model_->EvaluateText(log.value, text)) {
    RaiseExecutionError(PlaceOf(instruction));
  } else if (observer_ != nullptr) {
    observer_->OnLog(*this, log.label, text);
  }
}

bool Interpreter::TextOf(const TextOrExpression& source, std::string& text) {
  if (source.value != kNoIndex) return data_model_->EvaluateText(source.value, text);
  text = source.text;
  return true;
}

bool Interpreter::ExecuteCancel(const Cancel& cancel) {
  if (cancel.id.value == kNoIndex) {
    table_.delayed_.Cancel(number_, cancel.id.text, *chart_->symbols);
    return true;
  }
  std::string id;
  if (!data_model_->EvaluateText(cancel.id.value, id)) return false;
  table_.delayed_.Cancel(number_, id, *chart_->symbols);
  return true;
}

bool Interpreter::ExecuteSend(const Instruction& instruction) {
  const davit::Send& send = chart_->sends[instruction.index];
  const ErrorPlace place = PlaceOf(instruction);
  Event event(send.event_symbol);
  event.send_id = send.id;
  event.origin = number_;
  event.invoke_id = invoke_id_;
  if (!send.id_location.empty()) {
    event.Details().send_id = fmt::format("{}.send{}", id(), ++generated_ids_);
    if (!data_model_->AssignText(send.id_location, event.details->send_id)) {
      RaiseError(chart_->error_execution, place, data_model_->fault(), &event);
      return false;
    }
  }
  const auto fail = [&](SymbolId error, std::string_view what) {
    RaiseError(error, place, what, &event);
    return false;
  };
  if (send.event.value != kNoIndex) {
    std::string name;
    if (!data_model_->EvaluateText(send.event.value, name)) {
      return fail(chart_->error_execution, data_model_->fault());
    }
    event.name = chart_->symbols->Find(name);
    if (event.name == kNoSymbol) event.Details().name = std::move(name);
  }
  SendTarget kind = send.kind;
  std::string target;
  if (send.target.value != kNoIndex) {
    if (!data_model_->EvaluateText(send.target.value, target)) {
      return fail(chart_->error_execution, data_model_->fault());
    }
    kind = target.empty()           ? SendTarget::kSelf
           : target == "#_internal" ? SendTarget::kInternal
           : target == "#_parent"   ? SendTarget::kParent
                                    : SendTarget::kOther;
  }
  if (!send.has_known_type) return fail(chart_->error_execution, "no such event processor");
  if (send.type.value != kNoIndex) {
    std::string type;
    if (!data_model_->EvaluateText(send.type.value, type)) {
      return fail(chart_->error_execution, data_model_->fault());
    }
    if (!IsScxmlProcessor(type)) return fail(chart_->error_execution, "no such event processor");
  }
  double delay = send.delay_seconds;
  if (send.delay.value != kNoIndex && !data_model_->EvaluateTime(send.delay.value, delay)) {
    return fail(chart_->error_execution, data_model_->fault());
  }
  if (!data_model_->MakePayload(send.payload, event))
    return fail(chart_->error_execution, data_model_->fault());

  if (delay > 0) {
    Event lost(event.name);
    lost.send_id = event.send_id;
    const bool is_kept =
        table_.delayed_.Add({table_.time_ + delay, number_, &send, std::move(target), std::move(event)});
    if (is_kept) return true;
    ++lost_events_;
    RaiseError(chart_->error_execution, place, "a delayed event is lost: there is no room for more", &lost);
    return false;
  }
  Event copy_of_ids(event.name);
  copy_of_ids.send_id = event.send_id;
  if (event.details) copy_of_ids.Details().send_id = event.details->send_id;
  const std::string_view where = send.target.value != kNoIndex ? std::string_view(target) : send.target.text;
  switch (Dispatch(send, kind, where, std::move(event))) {
    case Delivery::kDelivered: return true;
    case Delivery::kIllegal:
      RaiseError(chart_->error_execution, place, fmt::format("no target '{}'", where), &copy_of_ids);
      return false;
    case Delivery::kUnreachable:
      RaiseError(chart_->error_communication, place, fmt::format("'{}' cannot be reached", where),
                 &copy_of_ids);
      return false;
  }
  return true;
}

bool Interpreter::RaiseInternal(Event&& event) {
  if (internal_queue_.Push(std::move(event))) return true;
  ++lost_events_;
  if (observer_ != nullptr) observer_->OnError(*this, 0, "an event is lost: the internal queue is full");
  return false;
}

void Interpreter::RaiseError(SymbolId name, const ErrorPlace& place, std::string_view what,
                             const Event* sent) {
  if (observer_ != nullptr) {
    // A line is one of the chart itself; that of an included file goes with the name of the file.
    if (place.file == 0) {
      observer_->OnError(*this, place.line, what);
    } else {
      observer_->OnError(*this, 0,
                         fmt::format("{}:{}: {}", *chart_->files[place.file].file, place.line, what));
    }
  }
  Event error(name, EventType::kPlatform);
  if (sent != nullptr) {
    error.send_id = sent->send_id;
    if (sent->details && !sent->details->send_id.empty()) error.Details().send_id = sent->details->send_id;
  }
  if (chart_->data_model == DataModelKind::kEcmascript) {
    error.Details().data = fmt::format(R"({{"tagname":{},"line":{},"column":{},"reason":{}}})",
                                       QuoteJson(place.element), place.line, place.column, QuoteJson(what));
    error.details->has_data = true;
  }
  RaiseInternal(std::move(error));
}

}  // namespace davit
