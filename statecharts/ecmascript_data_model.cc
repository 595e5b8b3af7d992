#include "statecharts/ecmascript_data_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "statecharts/chart_archive.h"
#include "statecharts/duktape_heap.h"
#include "statecharts/metered_script.h"
#include "statecharts/processor_names.h"
#include "statecharts/time_text.h"

namespace davit {
namespace {

constexpr const char* kSelf =
    "\xff"
    "davit";  // of the stash: the data model
constexpr const char* kExpressions =
    "\xff"
    "code";  // of the stash: compiled expressions by number
constexpr const char* kLocations =
    "\xff"
    "locations";  // of the stash: compiled assignments by location
constexpr duk_uint_t kConstant =
    DUK_DEFPROP_HAVE_VALUE | DUK_DEFPROP_CLEAR_WRITABLE | DUK_DEFPROP_SET_CONFIGURABLE | DUK_DEFPROP_FORCE;

bool IsNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

bool IsIdentifier(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::ranges::all_of(text, IsNamePart);
}

std::string Trim(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin));
}

/// With one space for each run of white space.
std::string NormalizeSpaces(std::string_view text) {
  std::string result;
  for (const char c : Trim(text)) {
    const bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_space) result += c;
    if (is_space && result.back() != ' ') result += ' ';
  }
  return result;
}

class EcmascriptDataModel final : public DataModel {
 public:
  explicit EcmascriptDataModel(const SessionView& session)
      : session_(session), chart_(*session.chart), is_compiled_(chart_.expressions.size()) {}

  void Initialize() override;
  bool InitializeData(Index data, const Event* given) override;
  void SetEvent(const Event* event) override;
  bool EvaluateCondition(Index expression, bool& value) override;
  bool EvaluateText(Index expression, std::string& text) override;
  bool EvaluateTime(Index expression, double& seconds) override;
  bool Assign(const AssignElement& assignment) override;
  bool AssignText(const std::string& location, const std::string& text) override;
  bool RunScript(Index expression) override;
  bool ForEach(const Loop& loop, const LoopBody& body) override;
  bool MakePayload(const Payload& payload, Event& event) override;
  void Archive(ChartArchive& archive) override { archive.Refuse(); }
  const std::string& fault() const override { return fault_; }

 private:
  duk_context* context() const { return heap_.context(); }
  template <class Function>
  bool Protect(Function function) {
    return heap_.Protect(function, fault_);
  }
  bool Fail(std::string fault) {
    fault_ = std::move(fault);
    return false;
  }

  bool Compile(Index expression, bool is_script);
  /// Pushes the value of an expression, or of a text of data; false and nothing after an error.
  bool PushValue(Index expression, bool is_script = false);
  bool PushContent(const std::string& text);
  bool PushJson(const std::string& json);
  /// Assigns what lies on top of the stack, and takes it off.
  bool AssignTop(const std::string& location);
  void SetGlobal(const std::string& name);
  void DefineConstant(const char* name);
  bool HasGlobal(const std::string& name);
  /// The JSON text of what lies on top of the stack, which is taken off.
  bool TopToJson(EventDetails& details);
  void PushEvent(const Event& event);
  void PushEventData(const Event& event);
  void PushField(const EventField& field) const;
  /// Gives the object below the top of the stack the value on top of it: as the property `name`, or as one
  /// more element of the array that is this property, where several values have the name.
  void PutNamed(std::string_view name, bool is_one_of_several);
  static duk_ret_t In(duk_context* context);

  SessionView session_;
  const Chart& chart_;
  std::vector<bool> is_compiled_;  ///< by expression
  DuktapeHeap heap_;
  std::string fault_;
};

duk_ret_t EcmascriptDataModel::In(duk_context* context) {
  const char* const id = duk_require_string(context, 0);
  duk_push_global_stash(context);
  duk_get_prop_string(context, -1, kSelf);
  const auto& self = *static_cast<const EcmascriptDataModel*>(duk_get_pointer(context, -1));
  bool is_active = false;
  {
    const auto found = self.chart_.state_of_id.find(id);
    is_active =
        found != self.chart_.state_of_id.end() && self.session_.configuration->Contains(found->second);
  }
  duk_push_boolean(context, is_active ? 1 : 0);
  return 1;
}

void EcmascriptDataModel::DefineConstant(const char* name) {
  if (!Protect([name](duk_context* c) {
        // The value lies below what this function pushes; a protected call sees a stack of its own.
        duk_push_global_object(c);
        duk_push_string(c, name);
        duk_push_global_stash(c);
        duk_get_prop_string(c, -1, "value");
        duk_remove(c, -2);
        duk_def_prop(c, -3, kConstant);
      }))
    return;
  duk_pop(context());
}

void EcmascriptDataModel::Initialize() {
  duk_context* const c = context();
  duk_push_global_stash(c);
  duk_push_pointer(c, this);
  duk_put_prop_string(c, -2, kSelf);
  duk_push_array(c);
  duk_put_prop_string(c, -2, kExpressions);
  duk_push_object(c);
  duk_put_prop_string(c, -2, kLocations);

  const std::string location = "#_scxml_" + session_.id;
  const auto constant = [&](const char* name) {
    duk_put_prop_string(c, -2, "value");
    DefineConstant(name);
  };
  duk_push_string(c, session_.id.c_str());
  constant("_sessionid");
  duk_push_string(c, chart_.name.c_str());
  constant("_name");
  duk_push_object(c);
  constant("_x");
  duk_push_object(c);
  for (const std::string_view name : {std::string_view("scxml"), kScxmlProcessor}) {
    duk_push_object(c);
    duk_push_string(c, location.c_str());
    duk_put_prop_string(c, -2, "location");
    duk_put_prop_lstring(c, -2, name.data(), name.size());
  }
  constant("_ioprocessors");
  duk_push_c_function(c, &In, 1);
  constant("In");
  duk_pop(c);

  for (const DataItem& item : chart_.data) {
    duk_push_undefined(c);
    SetGlobal(item.id);
  }
}

void EcmascriptDataModel::SetGlobal(const std::string& name) {
  duk_context* const c = context();
  duk_push_global_object(c);
  duk_insert(c, -2);
  duk_put_prop_lstring(c, -2, name.data(), name.size());
  duk_pop(c);
}

bool EcmascriptDataModel::HasGlobal(const std::string& name) {
  duk_context* const c = context();
  duk_push_global_object(c);
  const bool is_there = duk_has_prop_lstring(c, -1, name.data(), name.size()) != 0;
  duk_pop(c);
  return is_there;
}

bool EcmascriptDataModel::Compile(Index expression, bool is_script) {
  const std::string& text = chart_.expressions[expression].text;
  const std::string source = is_script ? text : "(" + text + "\n)";
  const auto compile = [&](const std::string& script) {
    return Protect([&script, expression](duk_context* c) {
      duk_push_global_stash(c);
      duk_get_prop_string(c, -1, kExpressions);
      duk_push_lstring(c, script.data(), script.size());
      duk_push_string(c, "chart");
      duk_compile(c, DUK_COMPILE_EVAL);
      duk_put_prop_index(c, -2, expression);
    });
  };
  // What the meter has misread is compiled as it is; a fault is that of what the author has written.
  if (!compile(MeterScript(source)) && !compile(source)) return false;
  duk_pop(context());
  is_compiled_[expression] = true;
  return true;
}

bool EcmascriptDataModel::PushValue(Index expression, bool is_script) {
  if (!is_compiled_[expression] && !Compile(expression, is_script)) return false;
  return Protect([expression](duk_context* c) {
    duk_push_global_stash(c);
    duk_get_prop_string(c, -1, kExpressions);
    duk_get_prop_index(c, -1, expression);
    duk_call(c, 0);
  });
}

bool EcmascriptDataModel::PushJson(const std::string& json) {
  return Protect([&json](duk_context* c) {
    duk_push_lstring(c, json.data(), json.size());
    duk_json_decode(c, -1);
  });
}

/// JSON where the text is JSON, an expression of ECMAScript where it is one, else the text with its spaces
/// normalized.
bool EcmascriptDataModel::PushContent(const std::string& text) {
  if (PushJson(text)) return true;
  const std::string trimmed = Trim(text);
  if (trimmed.starts_with('[') || trimmed.starts_with('{')) {
    const std::string source = "(" + MeterScript(trimmed) + "\n)";
    if (Protect([&source](duk_context* c) {
          duk_push_lstring(c, source.data(), source.size());
          duk_eval(c);
        }))
      return true;
  }
  // A chart, for example, must keep its form.
  const std::string value = trimmed.starts_with('<') ? trimmed : NormalizeSpaces(text);
  return Protect([&value](duk_context* c) { duk_push_lstring(c, value.data(), value.size()); });
}

bool EcmascriptDataModel::InitializeData(Index data, const Event* given) {
  const DataItem& item = chart_.data[data];
  duk_context* const c = context();
  if (given != nullptr && (given->field_count > 0 || (given->details && given->details->has_data))) {
    PushEventData(*given);
    if (duk_is_object(c, -1) != 0 && duk_has_prop_string(c, -1, item.id.c_str()) != 0) {
      duk_get_prop_string(c, -1, item.id.c_str());
      SetGlobal(item.id);
      duk_pop(c);
      return true;
    }
    duk_pop(c);
  }
  if (!item.fault.empty()) return Fail(item.fault);
  if (item.value != kNoIndex) {
    if (!PushValue(item.value)) return false;
  } else if (!item.has_content) {
    return true;
  } else if (!PushContent(item.content)) {
    return false;
  }
  SetGlobal(item.id);
  return true;
}

bool EcmascriptDataModel::EvaluateCondition(Index expression, bool& value) {
  if (!PushValue(expression)) return false;
  value = duk_to_boolean(context(), -1) != 0;
  duk_pop(context());
  return true;
}

bool EcmascriptDataModel::EvaluateText(Index expression, std::string& text) {
  if (!PushValue(expression)) return false;
  text = duk_safe_to_string(context(), -1);
  duk_pop(context());
  return true;
}

bool EcmascriptDataModel::EvaluateTime(Index expression, double& seconds) {
  if (!PushValue(expression)) return false;
  std::optional<double> time;
  if (duk_is_number(context(), -1) != 0) {
    time = duk_get_number(context(), -1);
  } else {
    time = ParseTime(duk_safe_to_string(context(), -1));
  }
  duk_pop(context());
  if (!time || !(*time >= 0)) return Fail("the delay is not a time; write a text such as '2s' or seconds");
  seconds = *time;
  return true;
}

bool EcmascriptDataModel::Assign(const AssignElement& assignment) {
  if (!(assignment.value != kNoIndex ? PushValue(assignment.value) : PushContent(assignment.content)))
    return false;
  return AssignTop(assignment.location);
}

bool EcmascriptDataModel::AssignText(const std::string& location, const std::string& text) {
  duk_push_lstring(context(), text.data(), text.size());
  return AssignTop(location);
}

bool EcmascriptDataModel::AssignTop(const std::string& location) {
  duk_context* const c = context();
  const std::string place = Trim(location);
  const auto end = std::ranges::find_if_not(place, IsNamePart);
  const std::string base(place.begin(), end);
  constexpr std::array<std::string_view, 5> kFixed{"_event", "_sessionid", "_name", "_ioprocessors", "_x"};
  const bool is_fixed = std::ranges::find(kFixed, base) != kFixed.end();
  if (is_fixed || !IsIdentifier(base) || !HasGlobal(base)) {
    duk_pop(c);
    return Fail(is_fixed ? fmt::format("{} cannot be assigned to", base)
                         : fmt::format("'{}' is not a variable", location));
  }
  duk_push_global_stash(c);
  duk_insert(c, -2);
  duk_put_prop_string(c, -2, "value");
  duk_pop(c);
  const std::string metered = MeterScript(place);
  const bool is_done = Protect([&place, &metered](duk_context* context) {
    duk_push_global_stash(context);
    duk_get_prop_string(context, -1, kLocations);
    if (duk_get_prop_string(context, -1, place.c_str()) == 0) {
      duk_pop(context);
      duk_push_sprintf(context, "(function(davit_value){%s=davit_value;})", metered.c_str());
      duk_eval(context);
      duk_dup_top(context);
      duk_put_prop_string(context, -3, place.c_str());
    }
    duk_get_prop_string(context, -3, "value");
    duk_call(context, 1);
  });
  if (is_done) duk_pop(c);
  return is_done;
}

bool EcmascriptDataModel::RunScript(Index expression) {
  if (!PushValue(expression, true)) return false;
  duk_pop(context());
  return true;
}

bool EcmascriptDataModel::ForEach(const Loop& loop, const LoopBody& body) {
  duk_context* const c = context();
  for (const std::string* name : {&loop.item, &loop.index}) {
    if (name->empty()) continue;
    const bool is_legal = IsIdentifier(*name) && Protect([name](duk_context* context) {
                            duk_push_sprintf(context, "var %s", name->c_str());
                            duk_eval(context);  // refuses reserved words, and declares it
                          });
    if (!is_legal) return Fail(fmt::format("'{}' cannot be a variable", *name));
    duk_pop(c);
  }
  if (!PushValue(loop.array)) return false;
  if (duk_is_array(c, -1) == 0) {
    duk_pop(c);
    return Fail("<foreach> iterates over arrays only");
  }
  if (!Protect([](duk_context* context) { duk_push_array(context); })) {
    duk_pop(c);
    return false;
  }
  const auto size = static_cast<duk_uarridx_t>(duk_get_length(c, -2));
  for (duk_uarridx_t i = 0; i < size; ++i) {  // a copy: the content may change the array
    duk_get_prop_index(c, -2, i);
    duk_put_prop_index(c, -2, i);
  }
  bool goes_on = true;
  for (duk_uarridx_t i = 0; i < size && goes_on; ++i) {
    duk_get_prop_index(c, -1, i);
    SetGlobal(loop.item);
    if (!loop.index.empty()) {
      duk_push_number(c, i);
      SetGlobal(loop.index);
    }
    goes_on = body();
  }
  duk_pop_2(c);
  return goes_on;
}

bool EcmascriptDataModel::TopToJson(EventDetails& details) {
  duk_context* const c = context();
  duk_push_global_stash(c);
  duk_insert(c, -2);
  duk_put_prop_string(c, -2, "value");
  duk_pop(c);
  const bool is_done = Protect([](duk_context* context) {
    duk_push_global_stash(context);
    duk_get_prop_string(context, -1, "value");
    duk_json_encode(context, -1);
  });
  if (!is_done) return false;
  details.has_data = duk_is_string(c, -1) != 0;
  if (details.has_data) details.data = duk_get_string(c, -1);
  duk_pop(c);
  return true;
}

bool EcmascriptDataModel::MakePayload(const Payload& payload, Event& event) {
  if (payload.content_value != kNoIndex)
    return PushValue(payload.content_value) && TopToJson(event.Details());
  if (payload.has_content) return PushContent(payload.content) && TopToJson(event.Details());
  if (payload.values.empty()) return true;
  duk_context* const c = context();
  bool is_whole = true;
  std::size_t count = 0;
  std::string first_fault;
  duk_push_object(c);
  for (const NamedValue& named : payload.values) {
    if (PushValue(named.value)) {
      PutNamed(named.name, std::ranges::count(payload.values, named.name, &NamedValue::name) > 1);
      ++count;
    } else {
      is_whole = false;
      first_fault = fault_;
    }
  }
  if (count == 0) {
    duk_pop(c);
  } else {
    is_whole = TopToJson(event.Details()) && is_whole;
  }
  return is_whole || Fail(first_fault.empty() ? fault_ : first_fault);
}

void EcmascriptDataModel::PutNamed(std::string_view name, bool is_one_of_several) {
  duk_context* const c = context();
  if (!is_one_of_several) {
    duk_put_prop_lstring(c, -2, name.data(), name.size());
    return;
  }
  if (duk_has_prop_lstring(c, -2, name.data(), name.size()) == 0) {
    duk_push_array(c);
    duk_put_prop_lstring(c, -3, name.data(), name.size());
  }
  duk_get_prop_lstring(c, -2, name.data(), name.size());
  duk_insert(c, -2);
  duk_put_prop_index(c, -2, static_cast<duk_uarridx_t>(duk_get_length(c, -2)));
  duk_pop(c);
}

void EcmascriptDataModel::PushField(const EventField& field) const {
  switch (field.type) {
    case ValueType::kBoolean: duk_push_boolean(context(), field.value != 0 ? 1 : 0); return;
    case ValueType::kString:
      duk_push_string(context(), chart_.symbols->Text(static_cast<SymbolId>(field.value)).c_str());
      return;
    default: duk_push_number(context(), field.value);
  }
}

void EcmascriptDataModel::PushEventData(const Event& event) {
  duk_context* const c = context();
  if (event.details && event.details->has_data && PushJson(event.details->data)) return;
  if (event.has_value) return PushField(event.value);
  if (event.field_count == 0) return duk_push_undefined(c);
  duk_push_object(c);
  for (std::size_t i = 0; i < event.field_count; ++i) {
    const std::span fields(event.fields.data(), event.field_count);
    PushField(fields[i]);
    PutNamed(chart_.symbols->Text(fields[i].name),
             std::ranges::count(fields, fields[i].name, &EventField::name) > 1);
  }
}

void EcmascriptDataModel::SetEvent(const Event* event) {
  if (event == nullptr) return;  // a session begins without the name
  duk_context* const c = context();
  duk_push_global_stash(c);
  PushEvent(*event);
  duk_put_prop_string(c, -2, "value");
  duk_pop(c);
  DefineConstant("_event");
}

void EcmascriptDataModel::PushEvent(const Event& event) {
  duk_context* const c = context();
  duk_push_object(c);
  const auto put = [c](const char* key, std::string_view text) {
    if (text.empty()) {
      duk_push_undefined(c);
    } else {
      duk_push_lstring(c, text.data(), text.size());
    }
    duk_put_prop_string(c, -2, key);
  };
  put("name", event.Name(*chart_.symbols));
  put("type", ToText(event.type));
  put("sendid", event.SendId(*chart_.symbols));
  const bool has_origin = event.origin != 0 && event.type == EventType::kExternal;
  put("origin", has_origin ? fmt::format("#_scxml_session{}", event.origin) : std::string());
  put("origintype", has_origin ? kScxmlProcessor : std::string_view());
  put("invokeid", event.invoke_id == kNoSymbol ? std::string_view() : chart_.symbols->Text(event.invoke_id));
  PushEventData(event);
  duk_put_prop_string(c, -2, "data");
}

}  // namespace

bool HasEcmascript() { return true; }

std::unique_ptr<DataModel> MakeEcmascriptDataModel(const SessionView& session) {
  return std::make_unique<EcmascriptDataModel>(session);
}

}  // namespace davit
