#include "proof/coverage_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "framework/nearest_name.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

using Json = nlohmann::ordered_json;

ChartCounts::Share ShareOf(const CoverageMap& coverage, const CoverageKind& kind) {
  ChartCounts::Share all;
  for (const auto& [path, counts] : coverage) {
    const ChartCounts::Share one = ChartCounts::ShareOf(counts.*kind.counts);
    all.covered += one.covered;
    all.total += one.total;
  }
  return all;
}

Json ShareJson(const ChartCounts::Share& share) {
  return {{"covered", share.covered}, {"total", share.total}, {"percent", share.percent()}};
}

}  // namespace

std::string CoverageJson(const CoverageMap& coverage) {
  Json json = Json::object();
  for (const CoverageKind& kind : kCoverageKinds) {
    json[kind.name] = ShareJson(ShareOf(coverage, kind));
    json[kind.name]["missed"] = MissedElements(coverage, kind);
  }
  Json& charts = json["charts"] = Json::object();
  for (const auto& [path, counts] : coverage) {
    Json& chart = charts[path];
    chart["file"] = counts.file;
    for (const CoverageKind& kind : kCoverageKinds) {
      Json share = ShareJson(ChartCounts::ShareOf(counts.*kind.counts));
      std::vector<std::string> missed;
      for (const auto& [name, count] : counts.*kind.counts) {
        if (count == 0) missed.push_back(name);
      }
      share["missed"] = missed;
      share["counts"] = counts.*kind.counts;
      chart[kind.name] = std::move(share);
    }
    if (!counts.has_pairs) chart["pairs"]["text"] = "more than 1000000 pairs are not counted";
  }
  return json.dump(2) + "\n";
}

CoverageMap LoadCoverage(const std::filesystem::path& file, Diagnostics& diagnostics) {
  CoverageMap coverage;
  const SourceLocation place{std::make_shared<const std::string>(file.string()), 0};
  const TextResult text = ReadTextFile(file, "coverage");
  if (!text.fault.empty()) {
    diagnostics.Error(place, {}, text.fault);
    return coverage;
  }
  try {
    const Json json = Json::parse(text.text);
    for (const auto& [path, chart] : json.at("charts").items()) {
      ChartCounts& counts = coverage[path];
      counts.file = chart.at("file").get<std::string>();
      counts.has_pairs = !chart.at("pairs").contains("text");
      for (const CoverageKind& kind : kCoverageKinds)
        counts.*kind.counts = chart.at(kind.name).at("counts").get<ChartCounts::Counts>();
    }
  } catch (const Json::exception&) {
    diagnostics.Error(place, {}, "this is no coverage; name a file of davit bench --coverage");
  }
  return coverage;
}

std::string CoverageTable(const CoverageMap& coverage) {
  std::size_t width = 5;
  for (const auto& [path, counts] : coverage) width = std::max(width, path.size());
  std::string text = fmt::format("{:{}}", "chart", width);
  for (const CoverageKind& kind : kCoverageKinds) text += fmt::format("  {:>20}", kind.name);
  text += '\n';
  const auto cell = [](const ChartCounts::Share& share) {
    return fmt::format("  {:>20}",
                       fmt::format("{} of {}, {:.1f} %", share.covered, share.total, share.percent()));
  };
  for (const auto& [path, counts] : coverage) {
    text += fmt::format("{:{}}", path, width);
    for (const CoverageKind& kind : kCoverageKinds)
      text += kind.name == "pairs" && !counts.has_pairs ? fmt::format("  {:>20}", "too many")
                                                        : cell(ChartCounts::ShareOf(counts.*kind.counts));
    text += '\n';
  }
  if (coverage.size() < 2) return text;
  text += fmt::format("{:{}}", "all", width);
  for (const CoverageKind& kind : kCoverageKinds) text += cell(ShareOf(coverage, kind));
  return text + '\n';
}

std::vector<std::string> MissedElements(const CoverageMap& coverage, const CoverageKind& kind) {
  std::vector<std::string> missed;
  for (const auto& [path, counts] : coverage) {
    for (const auto& [name, count] : counts.*kind.counts) {
      if (count == 0) missed.push_back(path + " " + name);
    }
  }
  return missed;
}

std::vector<CoverageDemand> ReadCoverageDemands(const std::vector<std::string>& texts,
                                                std::string_view option, Diagnostics& diagnostics) {
  std::vector<CoverageDemand> demands;
  for (const std::string& text : texts) {
    const auto fail = [&](const Fault& fault) {
      diagnostics.Error({std::make_shared<const std::string>(fmt::format("{} {}", option, text)), 0}, {},
                        fault);
    };
    const std::size_t equal = std::min(text.find('='), text.size());
    const std::string name = text.substr(0, equal);
    const auto* const kind = std::ranges::find(kCoverageKinds, std::string_view(name), &CoverageKind::name);
    if (kind == std::end(kCoverageKinds)) {
      std::vector<std::string> known;
      for (const CoverageKind& one : kCoverageKinds) known.emplace_back(one.name);
      fail({"coverage has no " + Quoted(name), SuggestName("it has", name, known)});
      continue;
    }
    std::string number = equal < text.size() ? text.substr(equal + 1) : std::string();
    while (!number.empty() && (number.back() == '%' || number.back() == ' ')) number.pop_back();
    double percent = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), percent);
    if (error != std::errc() || end != number.data() + number.size() || !(percent >= 0 && percent <= 100)) {
      fail({"not a percentage from 0 to 100", fmt::format("write for example {} {}=100%", option, name)});
      continue;
    }
    if (percent > 0 && percent < 1 && text.back() != '%') {
      fail({fmt::format("{} is less than 1 %", number),
            fmt::format("write {}={:.6g}%, or {}={}% if this is meant", name, 100 * percent, name, number)});
      continue;
    }
    demands.push_back({kind, percent});
  }
  return demands;
}

std::vector<std::string> UnmetDemands(const CoverageMap& coverage,
                                      const std::vector<CoverageDemand>& demands) {
  constexpr std::size_t kMostNamed = 12;
  std::vector<std::string> unmet;
  for (const CoverageDemand& demand : demands) {
    const ChartCounts::Share share = ShareOf(coverage, *demand.kind);
    const bool is_counted = std::ranges::all_of(
        coverage, [&](const auto& one) { return one.second.has_pairs || demand.kind->name != "pairs"; });
    if (coverage.empty()) {
      unmet.push_back(
          fmt::format("{}: there is no chart with a file; name another chart with <Cover chart=\"...\"/>",
                      demand.kind->name));
    } else if (!is_counted) {
      unmet.push_back(fmt::format("{}: a chart has too many to count", demand.kind->name));
    } else if (share.percent() < demand.percent) {
      const std::vector<std::string> missed = MissedElements(coverage, *demand.kind);
      std::string line = fmt::format("{}: {} of {} ({:.1f} %), {:.6g} % required; missed", demand.kind->name,
                                     share.covered, share.total, share.percent(), demand.percent);
      for (std::size_t i = 0; i < std::min(missed.size(), kMostNamed); ++i)
        line += (i == 0 ? " " : ", ") + missed[i];
      if (missed.size() > kMostNamed) line += fmt::format(" and {} more", missed.size() - kMostNamed);
      unmet.push_back(std::move(line));
    }
  }
  return unmet;
}

}  // namespace davit
