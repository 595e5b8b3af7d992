#include "studio/api_files.h"

#include <fmt/format.h>

#include <utility>

#include "framework/version.h"
#include "framework/xml/picture_file.h"
#include "framework/xml/xml_file.h"
#include "server/http_api.h"
#include "studio/folder_files.h"
#include "studio/json_text.h"
#include "studio/templates.h"

namespace davit {
namespace {

/// The name of the first element of an XML text, without a prefix of a namespace; empty where it has none.
std::string_view FirstElement(std::string_view text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string_view::npos;) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--")) {
      at = text.find("-->", at);
    } else if (rest.starts_with("<?")) {
      at = text.find("?>", at);
    } else {
      std::string_view name = rest.substr(1, rest.find_first_of(" \t\r\n/>", 1) - 1);
      if (const std::size_t colon = name.find(':'); colon != std::string_view::npos)
        name.remove_prefix(colon + 1);
      return name;
    }
    if (at == std::string_view::npos) return {};
  }
  return {};
}

std::string_view KindOf(const std::string& path, std::string_view text) {
  if (!path.ends_with(".xml") && !path.ends_with(".scxml")) return "other";
  const std::string_view element = FirstElement(text);
  if (element == "System") return "system";
  if (element == "scxml") return "chart";
  if (element == "Study") return "study";
  if (element == "Bench") return "bench";
  // What cannot be read now may be mended in the editor that its name means.
  if (element.empty()) return path.ends_with(".scxml") ? "chart" : "system";
  return "other";
}

}  // namespace

HttpAnswer AnswerStudio(const StudioContext& context, const HttpQuery& query) {
  return {.body = DumpJson({{"folder", context.folder->root().string()},
                            {"name", context.folder->root().filename().string()},
                            {"read_only", context.is_read_only || !context.folder->is_writable() ||
                                              query.role < UserRole::kEdit},
                            {"user", query.user},
                            {"role", ToText(query.role)},
                            {"version", kVersion},
                            {"api_version", kApiVersion}})};
}

HttpAnswer AnswerFiles(const StudioContext& context, const HttpQuery& /*query*/) {
  const FolderList list = context.folder->List();
  Json files = Json::array();
  for (const FolderFile& file : list.files) {
    Json json{{"path", file.path}, {"size", file.size}, {"kind", "other"}, {"hash", nullptr}};
    if (file.path.ends_with(".xml") || file.path.ends_with(".scxml")) {
      const TextResult read = context.folder->Read(file.path);
      if (read.fault.empty()) {
        json["kind"] = KindOf(file.path, read.text);
        const std::string hash = HashOf(read.text);
        context.shared->FollowDisk(file.path, read.text, hash);
        json["hash"] = hash;
      } else {
        json["fault"] = read.fault;
      }
    }
    files.push_back(std::move(json));
  }
  return {.body = DumpJson({{"files", std::move(files)}, {"is_complete", list.is_complete}})};
}

HttpAnswer AnswerFile(const StudioContext& context, const HttpQuery& query) {
  const std::string path(query.Find("path"));
  TextResult read = context.folder->Read(path);
  if (!read.fault.empty()) return HttpFault(404, read.fault);
  const std::string_view kind = KindOf(path, read.text);
  const std::string hash = HashOf(read.text);
  return {.body = DumpJson({{"path", path}, {"hash", hash}, {"kind", kind}, {"text", std::move(read.text)}})};
}

HttpAnswer AnswerPicture(const StudioContext& context, const HttpQuery& query) {
  const FolderFiles files(context.folder, {});
  const PictureResult read = ReadPicture(&files, context.folder->root(), query.Find("path"));
  if (read.picture == nullptr) return HttpFault(404, read.fault);
  // Opened by itself, a picture runs nothing either.
  return {.type = read.picture->type,
          .body = read.picture->bytes,
          .headers = {{"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"}}};
}

HttpAnswer AnswerFileTexts(const StudioContext& context, const HttpQuery& query) {
  Json texts = Json::object();
  for (const std::string& path : query.FindAll("path")) {
    TextResult read = context.folder->Read(path);
    texts[path] = read.fault.empty() ? Json(std::move(read.text)) : Json(nullptr);
  }
  return {.body = DumpJson({{"texts", std::move(texts)}})};
}

HttpAnswer AnswerWrite(const StudioContext& context, const HttpQuery& query) {
  const Json body = Json::parse(query.body, nullptr, false);
  const bool is_right = body.is_object() && body.contains("text") && body["text"].is_string() &&
                        body.contains("hash") && (body["hash"].is_string() || body["hash"].is_null());
  if (!is_right)
    return HttpFault(
        400, "the body should be {\"text\": \"...\", \"hash\": of the text that was opened, or null}");
  const std::string path(query.Find("path"));
  const std::string& text = body["text"].get_ref<const std::string&>();
  std::optional<std::string> known;
  if (body["hash"].is_string()) known = body["hash"].get<std::string>();
  SharedText* const shared = context.shared->Find(path);
  if (shared != nullptr && shared->is_edited() && shared->text() != text)
    return HttpFault(423,
                     path + " has edits of other people that this text does not have; take them over first");
  WriteResult result = context.folder->Write(path, text, known);
  switch (result.status) {
    case WriteResult::Status::kWritten: {
      const std::string hash = HashOf(text);
      if (shared != nullptr) {
        const std::string client(query.Find("client"));
        const std::string user = context.shared->NameOf(client);
        shared->Replace(text, {}, user);
        shared->MarkSaved(hash, client, user);
      }
      return {.body = DumpJson({{"path", path}, {"hash", hash}})};
    }
    case WriteResult::Status::kRefused: return HttpFault(400, result.fault);
    case WriteResult::Status::kChanged: break;
  }
  Json json{{"error", result.fault}, {"path", path}, {"hash", nullptr}, {"text", nullptr}};
  if (result.text) {
    json["hash"] = HashOf(*result.text);
    json["text"] = std::move(*result.text);
  }
  return {.status = 409, .body = DumpJson(json)};
}

HttpAnswer AnswerTemplates(const StudioContext& /*context*/, const HttpQuery& /*query*/) {
  Json templates = Json::array();
  for (const StudioTemplate& one : StudioTemplates()) {
    const std::string_view kind = FirstElement(one.text) == "scxml" ? "chart" : "system";
    // The first comment of a template says what it is for.
    const std::size_t begin = one.text.find("<!-- "), end = one.text.find(" -->");
    const std::string_view text =
        begin == std::string_view::npos ? std::string_view() : one.text.substr(begin + 5, end - begin - 5);
    templates.push_back({{"name", one.name}, {"kind", kind}, {"text", text}, {"content", one.text}});
  }
  return {.body = DumpJson({{"templates", std::move(templates)}})};
}

}  // namespace davit
