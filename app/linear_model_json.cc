#include "app/linear_model_json.h"

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

}  // namespace

std::string LinearModelJson(const Linearization& linearization, const std::vector<LinearMode>& modes,
                            const LinearModel& closed) {
  const LinearModel& model = linearization.model;
  Json json;
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
  for (const LinearMode& mode : modes) list.push_back(ModeJson(mode, closed));
  json["modes"] = std::move(list);
  json["relative_error"] = linearization.error;
  json["notes"] = linearization.notes;
  return json.dump(1) + '\n';
}

}  // namespace davit
