#include "studio/api_share.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "server/http_api.h"
#include "studio/json_text.h"
#include "studio/shared_files.h"

namespace davit {
namespace {

constexpr std::string_view kForm =
    R"(the body should be {"client": "id", "path": "open.xml", "chosen": ["pump"], "files": [{"path": "a.xml", )"
    R"("hash": of the text that was opened, "version": that is known, "changes": [{"label": "Move", )"
    R"("edits": [{"start": 0, "end": 2, "text": "ab"}]}]}]})";
constexpr std::size_t kLongestName = 500;  // of what a page says about itself
constexpr std::size_t kMostChosen = 100;

/// A text of an object; empty where it is missing, nothing where it is none or too long.
std::optional<std::string> TextOf(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end()) return std::string();
  if (!found->is_string() || found->get_ref<const std::string&>().size() > kLongestName) return std::nullopt;
  return found->get<std::string>();
}

std::optional<SharedChange> ReadChange(const Json& json) {
  if (!json.is_object() || !json.contains("edits") || !json["edits"].is_array()) return std::nullopt;
  SharedChange change;
  std::optional<std::string> label = TextOf(json, "label");
  if (!label) return std::nullopt;
  change.label = std::move(*label);
  change.edits.reserve(json["edits"].size());
  for (const Json& edit : json["edits"]) {
    const bool is_right = edit.is_object() && edit.contains("start") && edit["start"].is_number_unsigned() &&
                          edit.contains("end") && edit["end"].is_number_unsigned() && edit.contains("text") &&
                          edit["text"].is_string();
    if (!is_right) return std::nullopt;
    change.edits.push_back(
        {edit["start"].get<std::size_t>(), edit["end"].get<std::size_t>(), edit["text"].get<std::string>()});
  }
  return change;
}

/// What a page knows of a file, and what it has changed.
struct FileOfPage {
  std::string path;
  std::string hash;                           ///< of the text that it has opened
  std::optional<std::uint64_t> version = {};  ///< that it knows; nothing: only the text of the hash
  std::vector<SharedChange> changes = {};
};

std::optional<FileOfPage> ReadFileOfPage(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  std::optional<std::string> path = TextOf(json, "path");
  std::optional<std::string> hash = TextOf(json, "hash");
  if (!path || path->empty() || !hash) return std::nullopt;
  FileOfPage file{.path = std::move(*path), .hash = std::move(*hash)};
  if (json.contains("version")) {
    if (!json["version"].is_number_unsigned()) return std::nullopt;
    file.version = json["version"].get<std::uint64_t>();
  }
  if (!json.contains("changes")) return file;
  if (!json["changes"].is_array()) return std::nullopt;
  file.changes.reserve(json["changes"].size());
  for (const Json& one : json["changes"]) {
    std::optional<SharedChange> change = ReadChange(one);
    if (!change) return std::nullopt;
    file.changes.push_back(std::move(*change));
  }
  return file;
}

Json ChangeToJson(const SharedChange& change, std::string_view client) {
  Json json{{"client", change.client}, {"user", change.user}, {"label", change.label}};
  if (!change.saved_hash.empty()) json["saved"] = change.saved_hash;
  if (change.client == client) return json;  // it has the edits
  Json edits = Json::array();
  for (const SharedEdit& edit : change.edits)
    edits.push_back({{"start", edit.start}, {"end", edit.end}, {"text", edit.text}});
  json["edits"] = std::move(edits);
  return json;
}

/// Makes the changes of a page if it knows all others. Result: what it does not know yet, its own ones
/// included; null where there is nothing.
Json Exchange(FileOfPage& file, SharedText& shared, std::string_view client, std::string_view user,
              std::string& fault) {
  const std::optional<std::uint64_t> known = file.version ? file.version : shared.FindVersion(file.hash);
  if (known == shared.version()) {
    for (SharedChange& change : file.changes) {
      change.client = client;
      change.user = user;
      if (fault = shared.Change(std::move(change)); !fault.empty()) return nullptr;
    }
  }
  const auto changes = known ? shared.ChangesSince(*known) : std::nullopt;
  if (changes && changes->empty() && file.version) return nullptr;
  Json json{{"path", file.path}, {"version", shared.version()}};
  if (changes) {
    Json list = Json::array();
    for (const SharedChange* change : *changes) list.push_back(ChangeToJson(*change, client));
    json["changes"] = std::move(list);
  } else {
    json["text"] = shared.text().value_or(std::string());
    json["saved"] = shared.is_edited() ? Json(nullptr) : Json(shared.saved_hash());
  }
  return json;
}

}  // namespace

HttpAnswer AnswerShare(const StudioContext& context, const HttpQuery& query) {
  const Json body = Json::parse(query.body, nullptr, false);
  if (!body.is_object() || !body.contains("files") || !body["files"].is_array())
    return HttpFault(400, std::string(kForm));
  const std::optional<std::string> client = TextOf(body, "client");
  std::optional<std::string> path = TextOf(body, "path");
  if (!client || client->empty() || !path) return HttpFault(400, std::string(kForm));
  std::vector<std::string> chosen;
  if (body.contains("chosen") && body["chosen"].is_array()) {
    for (const Json& one : body["chosen"]) {
      if (one.is_string() && one.get_ref<const std::string&>().size() <= kLongestName &&
          chosen.size() < kMostChosen)
        chosen.push_back(one.get<std::string>());
    }
  }
  std::vector<FileOfPage> files;
  files.reserve(body["files"].size());
  for (const Json& json : body["files"]) {
    std::optional<FileOfPage> file = ReadFileOfPage(json);
    if (!file) return HttpFault(400, std::string(kForm));
    files.push_back(std::move(*file));
  }
  const bool has_changes =
      std::ranges::any_of(files, [](const FileOfPage& file) { return !file.changes.empty(); });
  if (has_changes && context.is_read_only)
    return HttpFault(403, "the server is read-only; start it without --read-only");
  if (const std::string refusal = RefusalOf(query.role, UserRole::kEdit); has_changes && !refusal.empty())
    return HttpFault(403, refusal);

  SharedFiles& shared = *context.shared;
  if (body.value("leaves", Json()) == true) {
    shared.Forget(*client);
    return {.body = "{}"};
  }
  shared.NotePerson(*client, query, std::move(*path), std::move(chosen), std::chrono::steady_clock::now());
  const std::string user = shared.NameOf(*client);
  Json answers = Json::array();
  for (FileOfPage& file : files) {
    if (!file.changes.empty() && shared.is_full())
      return HttpFault(413,
                       "the files that are edited are too large together; save them and close all pages");
    SharedText* const text = file.changes.empty() ? shared.Find(file.path) : shared.Open(file.path);
    if (text == nullptr) {
      answers.push_back({{"path", file.path}, {"is_shared", false}});
      continue;
    }
    std::string fault;
    Json answer = Exchange(file, *text, *client, user, fault);
    if (!fault.empty()) return HttpFault(400, file.path + ": " + fault);
    if (!answer.is_null()) answers.push_back(std::move(answer));
  }
  Json others = Json::array();
  for (const auto& one : shared.files()) {
    if (std::ranges::find(files, one.first, &FileOfPage::path) == files.end()) others.push_back(one.first);
  }
  return {.body = DumpJson({{"name", user},
                            {"people", shared.PeopleBut(*client)},
                            {"files", std::move(answers)},
                            {"shared", std::move(others)}})};
}

}  // namespace davit
