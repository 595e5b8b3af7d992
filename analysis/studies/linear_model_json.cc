#include "analysis/studies/linear_model_json.h"

#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <utility>

namespace davit {
namespace {

using Json = nlohmann::ordered_json;

Json LinearNumberJson(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json ComplexJson(std::complex<double> value) {
  return Json::array({LinearNumberJson(value.real()), LinearNumberJson(value.imag())});
}

Json RowsJson(const Eigen::MatrixXd& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(LinearNumberJson(matrix(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

template <class Member>
Json ListJson(const std::vector<LinearVariable>& variables, Member member) {
  Json list = Json::array();
  for (const LinearVariable& variable : variables) list.push_back(variable.*member);
  return list;
}

Json ModeJson(const LinearMode& mode, const LinearModel& model) {
  Json states = Json::array();
  for (const LinearMode::Share& share : mode.states) {
    if (share.participation >= 0.01)
      states.push_back({{"state", model.states[share.state].name}, {"participation", share.participation}});
  }
  return {{"eigenvalue", ComplexJson(mode.eigenvalue)},
          {"frequency", LinearNumberJson(mode.frequency())},
          {"damping", LinearNumberJson(mode.damping())},
          {"time_constant", LinearNumberJson(mode.time_constant())},
          {"states", std::move(states)}};
}

Json OptionalJson(const std::optional<double>& value) {
  return value ? LinearNumberJson(*value) : Json(nullptr);
}

Json PairJson(const PairAnalysis& analysis, const LinearModel& model) {
  Json json{{"input", model.inputs[analysis.pair.input].name},
            {"output", model.outputs[analysis.pair.output].name},
            {"static_gain", LinearNumberJson(analysis.static_gain)}};
  if (analysis.zeros) {
    Json zeros = Json::array();
    for (const std::complex<double>& zero : *analysis.zeros) zeros.push_back(ComplexJson(zero));
    json["zeros"] = std::move(zeros);
  }
  if (analysis.margins) {
    json["gain_margin"] = OptionalJson(analysis.margins->gain);
    json["gain_margin_frequency"] = OptionalJson(analysis.margins->gain_frequency);
    json["phase_margin"] = OptionalJson(analysis.margins->phase);
    json["phase_margin_frequency"] = OptionalJson(analysis.margins->phase_frequency);
  }
  return json;
}

/// Adds all of a model to `json`.
void AddModel(const WrittenModel& written, Json& json) {
  const Linearization& linearization = written.linearization;
  const std::vector<LinearMode>& modes = written.modes;
  const LinearModel& model = linearization.model;
  json["time"] = linearization.time;
  const auto add = [&](const std::string& one, const std::vector<LinearVariable>& variables) {
    json[one + "s"] = ListJson(variables, &LinearVariable::name);
    json[one + "_units"] = ListJson(variables, &LinearVariable::unit);
    Json values = Json::array();
    for (const LinearVariable& variable : variables) values.push_back(LinearNumberJson(variable.value));
    json[one + "_values"] = std::move(values);
  };
  add("state", model.states);
  add("input", model.inputs);
  add("output", model.outputs);
  json["A"] = RowsJson(model.A);
  json["B"] = RowsJson(model.B);
  json["C"] = RowsJson(model.C);
  json["D"] = RowsJson(model.D);
  if (!model.delays.empty()) {
    Json delays = Json::array();
    for (const LinearDelay& delay : model.delays)
      delays.push_back({{"name", delay.name}, {"time", delay.time}});
    json["delays"] = std::move(delays);
    json["B_delay"] = RowsJson(model.B_delay);
    json["D_delay"] = RowsJson(model.D_delay);
    json["C_delay"] = RowsJson(model.C_delay);
    json["D_input"] = RowsJson(model.D_input);
    json["D_wave"] = RowsJson(model.D_wave);
  }
  Json eigenvalues = Json::array();
  for (const std::complex<double>& value : EigenvaluesOf(modes)) eigenvalues.push_back(ComplexJson(value));
  json["eigenvalues"] = std::move(eigenvalues);
  Json list = Json::array();
  for (const LinearMode& mode : modes) list.push_back(ModeJson(mode, written.closed));
  json["modes"] = std::move(list);
  json["relative_error"] = linearization.error;
  json["notes"] = linearization.notes;
  Json pairs = Json::array();
  for (const PairAnalysis& analysis : written.pairs) pairs.push_back(PairJson(analysis, model));
  json["pairs"] = std::move(pairs);
}

}  // namespace

std::string LinearModelJson(const WrittenModel& model) {
  Json json;
  AddModel(model, json);
  return json.dump(1) + '\n';
}

std::string LinearFamilyJson(const VariedItem& varied, const std::vector<FamilyMember>& members) {
  Json models = Json::array();
  for (const FamilyMember& member : members) {
    Json json{{"value", varied.is_number ? LinearNumberJson(member.value.number) : Json(member.value.text)}};
    if (member.model) {
      AddModel(*member.model, json);
    } else {
      json["message"] = member.message;
    }
    models.push_back(std::move(json));
  }
  Json family{{"varied", {{"path", varied.path}, {"unit", varied.unit}}}};
  family["models"] = std::move(models);
  return family.dump(1) + '\n';
}

}  // namespace davit
