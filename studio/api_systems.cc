#include "studio/api_systems.h"

#include <utility>

#include "framework/tree/file_described.h"
#include "framework/tree/item_element.h"
#include "framework/xml/compare_systems.h"
#include "framework/xml/system_loader.h"
#include "server/http_api.h"
#include "studio/check_system.h"
#include "studio/difference_json.h"
#include "studio/folder_files.h"
#include "studio/layout_system.h"
#include "studio/model_catalog.h"
#include "studio/request_body.h"

namespace davit {
namespace {

using Make = std::string (*)(const std::shared_ptr<const Folder>&, const StudioModels&, const std::string&,
                             Texts);

HttpAnswer AnswerTexts(const StudioContext& context, const HttpQuery& query, Make make) {
  std::string fault;
  std::optional<EditedTexts> edited = ReadEditedTexts(query.body, fault);
  if (!edited) return HttpFault(400, fault);
  return {.body = make(context.folder, context.models, edited->path, std::move(edited->texts))};
}

/// Models of plug-ins that a system names, and its components that its own elements or files describe.
std::string DescribeModelsOf(const std::shared_ptr<const Folder>& folder, const StudioModels& models,
                             const std::string& path, Texts unsaved) {
  Diagnostics diagnostics;
  const EditedSystem edited(folder, models, path, std::move(unsaved), diagnostics);
  Json added = Json::array(), components = Json::array();
  for (const ModelEntry* entry : edited.registry().entries()) {
    if (models.registry.Find(entry->info->name) == nullptr)
      added.push_back(DescribeModelOf(*entry, edited.registry()));
  }
  if (edited.is_readable()) {
    const std::unique_ptr<System> system =
        LoadSystemText(edited.text(), edited.file(), edited.registry(), edited.load_options(), diagnostics);
    for (Component* component : system == nullptr ? std::vector<Component*>() : system->components()) {
      const bool is_own = dynamic_cast<const ItemTaker*>(component) != nullptr ||
                          dynamic_cast<const FileDescribed*>(component) != nullptr;
      if (!is_own) continue;
      components.push_back(DescribeComponentOf(*component, edited.registry()));
      components.back()["path"] = component->path();
    }
  }
  return DumpJson({{"models", std::move(added)},
                   {"components", std::move(components)},
                   {"faults", FaultsToJson(diagnostics, *folder)}});
}

}  // namespace

HttpAnswer AnswerModels(const StudioContext& context, const HttpQuery& /*query*/) {
  return {.body = DescribeModels(context.models.registry)};
}
HttpAnswer AnswerModelsOf(const StudioContext& context, const HttpQuery& query) {
  return AnswerTexts(context, query, DescribeModelsOf);
}
HttpAnswer AnswerCheck(const StudioContext& context, const HttpQuery& query) {
  return AnswerTexts(context, query, CheckSystem);
}
HttpAnswer AnswerScene(const StudioContext& context, const HttpQuery& query) {
  return AnswerTexts(context, query, DescribeStartPose);
}
HttpAnswer AnswerCompare(const StudioContext& context, const HttpQuery& query) {
  std::string fault;
  const std::optional<EditedTexts> edited = ReadEditedTexts(query.body, fault);
  if (!edited) return HttpFault(400, fault);
  const Json body = Json::parse(query.body, nullptr, false);
  const bool has_other = body.contains("before") && body["before"].is_string();
  const std::filesystem::path& root = context.folder->root();
  const FolderFiles saved(context.folder, {}), texts(context.folder, edited->texts);
  Diagnostics diagnostics;
  // Another file is compared as it is edited, the file itself with what is saved.
  const std::vector<SystemDifference> differences = CompareSystems(
      {root / (has_other ? body["before"].get<std::string>() : edited->path), has_other ? &texts : &saved},
      {root / edited->path, &texts}, diagnostics);
  nlohmann::ordered_json json = DifferencesToJson(
      differences, [&](const std::string& name) { return context.folder->Find(name).value_or(name); });
  json["faults"] = FaultsToJson(diagnostics, *context.folder);
  return {.body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}
HttpAnswer AnswerLayout(const StudioContext& context, const HttpQuery& query) {
  return AnswerTexts(context, query, LayOutSystem);
}
HttpAnswer AnswerChartCheck(const StudioContext& context, const HttpQuery& query) {
  return AnswerTexts(context, query, CheckChart);
}

}  // namespace davit
