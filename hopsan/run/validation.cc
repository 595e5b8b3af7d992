#include "hopsan/run/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "framework/nearest_name.h"
#include "framework/xml/element_reader.h"
#include "framework/xml/xml_file.h"
#include "hopsan/import/hmf_file.h"
#include "hopsan/import/hmf_import.h"
#include "hopsan/run/hopsan_run.h"

namespace davit::hopsan {
namespace {

using tinyxml2::XMLElement;
namespace fs = std::filesystem;

constexpr XmlKind kValidation{.noun = "validation file of Hopsan",
                              .root = "hopsanvalidationconfiguration",
                              .most_levels = 90,
                              .remedy = "it needs about six levels"};

struct Compared {
  std::string name;  ///< Comp#Port#Variable
  fs::path data;
  std::size_t time_column = 0, column = 0;
  double tolerance = 0.01;
  SourceLocation place;
};

std::string TextOf(const XMLElement* element) {
  const char* const text = element == nullptr ? nullptr : element->GetText();
  return std::string(Trim(text == nullptr ? "" : text));
}

template <class Visit>
void ForEach(const XMLElement& in, const char* name, const Visit& visit) {
  for (auto* e = in.FirstChildElement(name); e != nullptr; e = e->NextSiblingElement(name)) visit(*e);
}

std::optional<double> NumberOf(std::string_view text) {
  text = Trim(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// The columns of a data file: numbers with commas between.
using Table = std::vector<std::vector<double>>;

std::optional<Table> ReadTable(const fs::path& file, const SourceLocation& place, Diagnostics& diagnostics) {
  const TextResult read = ReadTextFile(file, "data file");
  if (!read.fault.empty()) {
    diagnostics.Error(place, {}, read.fault);
    return std::nullopt;
  }
  Table columns;
  std::string_view rest = read.text;
  for (int line = 1; !rest.empty(); ++line) {
    const std::size_t end = rest.find('\n');
    std::string_view row = Trim(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (row.empty()) continue;
    std::vector<double> numbers;
    while (true) {
      const std::size_t comma = row.find(',');
      const std::optional<double> number = NumberOf(row.substr(0, comma));
      if (!number) break;
      numbers.push_back(*number);
      if (comma == std::string_view::npos) break;
      row = row.substr(comma + 1);
    }
    if (columns.empty()) columns.resize(numbers.size());
    if (numbers.empty() || numbers.size() != columns.size()) {
      diagnostics.Error({std::make_shared<const std::string>(file.string()), line}, {},
                        fmt::format("{} numbers in place of {}; write each row with commas between",
                                    numbers.size(), columns.size()));
      return std::nullopt;
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) columns[i].push_back(numbers[i]);
  }
  return columns;
}

/// Between two points linear; outside the nearest.
double Interpolate(const std::vector<double>& t, const std::vector<double>& y, double at) {
  const auto above = std::ranges::upper_bound(t, at);
  if (above == t.begin()) return y.front();
  if (above == t.end()) return y.back();
  const auto i = static_cast<std::size_t>(above - t.begin());
  return y[i - 1] + (y[i] - y[i - 1]) * (at - t[i - 1]) / (t[i] - t[i - 1]);
}

class ValidationRun {
 public:
  ValidationRun(const fs::path& file, const Registry& registry, std::ostream& out, Diagnostics& diagnostics)
      : file_(file),
        name_(std::make_shared<const std::string>(file.string())),
        registry_(registry),
        out_(out),
        diagnostics_(diagnostics) {}

  bool Run() {
    const TextResult read = ReadTextFile(file_, kValidation.noun);
    if (!read.fault.empty()) return Fail(0, read.fault);
    const XmlResult xml = ParseXml(read.text, kValidation);
    if (xml.document == nullptr) return Fail(xml.line, xml.fault);
    const XMLElement& root = *xml.document->RootElement();
    const XMLElement* validation = root.FirstChildElement("validation");
    if (std::string_view(root.Name()) != kValidation.root || validation == nullptr)
      return Fail(root.GetLineNum(),
                  "no hopsanvalidationconfiguration with an element 'validation'; name a .hvc file");
    bool is_right = true;
    for (; validation != nullptr; validation = validation->NextSiblingElement("validation"))
      is_right = RunOne(*validation) && is_right;
    return is_right;
  }

 private:
  bool Fail(int line, const std::string& fault) {
    diagnostics_.Error({name_, line}, {}, fault);
    return false;
  }

  /// The path of a file beside the validation file; backslashes are those of Windows.
  fs::path Beside(std::string text) const {
    std::ranges::replace(text, '\\', '/');
    return (file_.parent_path() / text).lexically_normal();
  }

  void AddVariable(const XMLElement& variable, std::string name, const fs::path& data,
                   std::vector<Compared>& list) {
    Compared one{.name = std::move(name), .data = data, .place = {name_, variable.GetLineNum()}};
    const auto number = [&](const char* element, double otherwise) {
      const std::string text = TextOf(variable.FirstChildElement(element));
      if (text.empty()) return otherwise;
      const std::optional<double> value = NumberOf(text);
      if (value && *value >= 0 && *value < 1e6) return *value;
      diagnostics_.Error(
          one.place, {},
          std::string(element) + ": " + Quoted(text) + " is not a number from 0 on; write for example 1");
      return otherwise;
    };
    one.time_column = static_cast<std::size_t>(number("timecolumn", 0));
    one.column = static_cast<std::size_t>(number("column", 1));
    one.tolerance = number("tolerance", 0.01);
    if (const std::string csv = TextOf(variable.FirstChildElement("csvfile")); !csv.empty())
      one.data = Beside(csv);
    list.push_back(std::move(one));
  }

  std::vector<Compared> ReadVariables(const XMLElement& validation) {
    std::vector<Compared> list;
    const auto name_of = [](const XMLElement& element) {
      const char* const text = element.Attribute("name");
      return std::string(text == nullptr ? "" : text);
    };
    const std::string hvd = TextOf(validation.FirstChildElement("hvdfile"));
    ForEach(validation, "variable",
            [&](const XMLElement& v) { AddVariable(v, name_of(v), Beside(hvd), list); });
    ForEach(validation, "component", [&](const XMLElement& c) {
      ForEach(c, "port", [&](const XMLElement& p) {
        ForEach(p, "variable", [&](const XMLElement& v) {
          AddVariable(v, CleanName(name_of(c)) + '#' + name_of(p) + '#' + name_of(v), {}, list);
        });
      });
    });
    return list;
  }

  /// As logged; the name of the root may stand first.
  const HopsanVariable* Find(const HmfImport& import, const std::string& name) const {
    for (const std::string& one : {name, name.substr(name.find('$') + 1)}) {
      const auto found = std::ranges::find(import.variables, one, &HopsanVariable::name);
      if (found != import.variables.end()) return &*found;
    }
    return nullptr;
  }

  bool RunOne(const XMLElement& validation) {
    const std::string model = TextOf(validation.FirstChildElement("modelfile"));
    if (model.empty())
      return Fail(validation.GetLineNum(), "no modelfile; name the model (.hmf) that is validated");
    const std::vector<Compared> compared = ReadVariables(validation);
    if (compared.empty())
      return Fail(validation.GetLineNum(), "no variable to compare; name one in an element 'variable'");
    const fs::path path = Beside(model);
    const std::optional<HmfImport> import = ImportHmf(path, registry_, {}, diagnostics_);
    if (!import || diagnostics_.has_errors()) return false;
    std::vector<HopsanVariable> variables;
    for (const Compared& one : compared) {
      const HopsanVariable* const found = Find(*import, one.name);
      if (found == nullptr) {
        std::vector<std::string> names;
        names.reserve(import->variables.size());
        for (const HopsanVariable& variable : import->variables) names.push_back(variable.name);
        diagnostics_.Error(
            one.place, {},
            "no variable " + Quoted(one.name) + " in the model; " + SuggestName("it logs", one.name, names));
      } else {
        variables.push_back(*found);
      }
      if (!tables_.contains(one.data))
        tables_.emplace(one.data, ReadTable(one.data, one.place, diagnostics_));
      const auto& table = tables_.at(one.data);
      if (table && (one.column >= table->size() || one.time_column >= table->size()))
        diagnostics_.Error(
            one.place, {},
            fmt::format("{} has {} columns, numbered from 0", one.data.string(), table->size()));
    }
    if (diagnostics_.has_errors()) return false;
    LoadedSimulation loaded = Simulation::Load({.file = path, .description = import->description}, registry_);
    for (const Diagnostic& one : loaded.diagnostics.all()) {
      if (one.severity == Severity::kError) diagnostics_.Add(one);
    }
    if (loaded.simulation == nullptr) return false;
    std::vector<double> time;
    std::vector<std::vector<double>> values(variables.size());
    try {
      RunAsHopsan(*loaded.simulation, *import, variables, [&](double t, std::span<const double> row) {
        time.push_back(t);
        for (std::size_t i = 0; i < row.size(); ++i) values[i].push_back(row[i]);
      });
    } catch (const SimulationFailure& failure) {
      return Fail(validation.GetLineNum(), std::string("the run failed: ") + failure.what());
    }
    bool is_right = true;
    for (std::size_t i = 0; i < compared.size(); ++i)
      is_right = Compare(compared[i], time, values[i]) && is_right;
    return is_right;
  }

  bool Compare(const Compared& one, const std::vector<double>& time, const std::vector<double>& values) {
    const Table& table = *tables_.at(one.data);
    std::vector<double> t = table[one.time_column], y = table[one.column];
    std::vector<std::size_t> order(t.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return table[one.time_column][i]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      t[i] = table[one.time_column][order[i]];
      y[i] = table[one.column][order[i]];
    }
    double worst = 0, worst_time = 0;
    std::size_t failed = 0;
    for (std::size_t i = 0; i < time.size(); ++i) {
      const double reference = Interpolate(t, y, time[i]);
      const bool counts = std::abs(values[i]) >= 1e-100 && std::abs(reference) >= 1e-10;
      const double deviation = counts ? std::abs(1 - values[i] / reference) : 0;
      if (!(deviation <= one.tolerance)) ++failed;
      if (!(deviation <= worst)) {
        worst = deviation;
        worst_time = time[i];
      }
    }
    out_ << fmt::format("{:<6} {}  largest deviation {:.3g} % at {:.6g} s, allowed {:.3g} %",
                        failed == 0 ? "ok" : "FAILED", one.name, 100 * worst, worst_time,
                        100 * one.tolerance);
    if (failed > 0) out_ << fmt::format("; {} of {} points fail", failed, time.size());
    out_ << '\n';
    return failed == 0;
  }

  fs::path file_;
  std::shared_ptr<const std::string> name_;
  const Registry& registry_;
  std::ostream& out_;
  Diagnostics& diagnostics_;
  std::map<fs::path, std::optional<Table>> tables_;
};

}  // namespace

bool Validate(const std::filesystem::path& file, const Registry& registry, std::ostream& out,
              Diagnostics& diagnostics) {
  return ValidationRun(file, registry, out, diagnostics).Run();
}

}  // namespace davit::hopsan
