// Snapshots: as a download and upload, or by name in the folder that was given at the start.

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "framework/load_bytes.h"
#include "server/http_api.h"

namespace davit {
namespace {

constexpr std::string_view kEnding = ".snap";

/// No path: letters, digits, - and _ only.
bool IsName(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

std::filesystem::path FileOf(const LiveContext& context, std::string_view name) {
  return *context.options.snapshots / (std::string(name) + std::string(kEnding));
}

void Load(LiveContext& context, const AnswerHttp& answer, std::string snapshot, const std::string& sender) {
  AnswerBetweenRuns(context, answer,
                    [&run = context.run, snapshot = std::move(snapshot), sender]() -> HttpAnswer {
                      const std::string fault = run.LoadSnapshot(snapshot, sender);
                      if (!fault.empty()) return HttpFault(409, fault);
                      return {.body = R"({"accepted":true})"};
                    });
}

HttpAnswer ListSnapshots(const LiveContext& context) {
  nlohmann::json names = nlohmann::json::array();
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(*context.options.snapshots, error)) {
    if (entry.path().extension() == kEnding && IsName(entry.path().stem().string()))
      names.push_back(entry.path().stem().string());
    if (names.size() >= 10'000) break;
  }
  std::sort(names.begin(), names.end());
  return {.body = names.dump()};
}

}  // namespace

void AnswerSnapshots(LiveContext& context, const HttpQuery& query, const AnswerHttp& answer) {
  LiveRun& run = context.run;
  const std::string& sender = query.sender;
  if (query.path == "/api/snapshot") {
    if (query.method == "POST") return Load(context, answer, query.body, sender);
    return AnswerBetweenRuns(context, answer, [&run, sender]() -> HttpAnswer {
      return {.type = "application/octet-stream",
              .body = run.TakeSnapshot(sender),
              .headers = {{"Content-Disposition", "attachment; filename=\"davit.snap\""}}};
    });
  }
  if (!context.options.snapshots)
    return answer(HttpFault(409, "no folder for snapshots; start the server with --snapshots DIR"));
  if (query.method == "GET") return answer(ListSnapshots(context));
  const std::string name(query.Find("name"));
  if (!IsName(name))
    return answer(
        HttpFault(400, "name: letters, digits, - and _ only, at most 64; for example name=before_lift"));
  const std::filesystem::path file = FileOf(context, name);
  if (query.path == "/api/snapshots/load") {
    std::optional<std::string> bytes = LoadBytes(file);
    if (!bytes) return answer(HttpFault(404, "no snapshot '" + name + "'; GET /api/snapshots lists them"));
    return Load(context, answer, std::move(*bytes), sender);
  }
  AnswerBetweenRuns(context, answer, [&run, sender, file]() -> HttpAnswer {
    const std::string snapshot = run.TakeSnapshot(sender);
    // Whoever loads it meanwhile has the one before, or all of this one.
    const std::filesystem::path part = file.string() + ".part";
    std::ofstream stream(part, std::ios::binary);
    stream.write(snapshot.data(), static_cast<std::streamsize>(snapshot.size()));
    stream.close();
    std::error_code error;
    if (stream) std::filesystem::rename(part, file, error);
    if (!stream || error)
      return HttpFault(500, file.filename().string() + ": cannot write the snapshot; is the disk full?");
    return {.body = R"({"accepted":true})"};
  });
}

}  // namespace davit
