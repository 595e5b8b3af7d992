#include "studio/shared_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace davit {

void SharedFiles::NotePerson(const std::string& client, const HttpQuery& query, std::string path,
                             std::vector<std::string> chosen, Time now) {
  std::erase_if(people_, [&](const auto& one) { return now - one.second.asked > kLongestSilence; });
  if (people_.empty()) files_.clear();
  auto found = people_.find(client);
  if (found == people_.end()) {
    if (people_.size() >= kMostPeople)
      people_.erase(std::ranges::min_element(people_, {}, [](const auto& one) { return one.second.asked; }));
    found = people_.emplace(client, Person{.number = ++last_number_}).first;
  }
  Person& person = found->second;
  person.user = query.user;
  person.path = std::move(path);
  person.chosen = std::move(chosen);
  person.asked = now;
}

void SharedFiles::Forget(std::string_view client) {
  if (const auto found = people_.find(client); found != people_.end()) people_.erase(found);
  if (people_.empty()) files_.clear();
}

std::string SharedFiles::NameOf(std::string_view client) const {
  const auto found = people_.find(client);
  if (found == people_.end()) return {};
  return found->second.user.empty() ? fmt::format("Guest {}", found->second.number) : found->second.user;
}

Json SharedFiles::PeopleBut(std::string_view client) const {
  Json people = Json::array();
  for (const auto& [own, person] : people_) {
    if (own != client)
      people.push_back(
          {{"client", own}, {"user", NameOf(own)}, {"path", person.path}, {"chosen", person.chosen}});
  }
  return people;
}

SharedText* SharedFiles::Find(std::string_view path) {
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : &found->second;
}

SharedText* SharedFiles::Open(const std::string& path) {
  if (SharedText* const known = Find(path)) return known;
  const TextResult read = folder_->Read(path);
  if (!read.fault.empty() || files_.size() >= Folder::kMostFiles) return nullptr;
  return &files_.emplace(path, SharedText(read.text, HashOf(read.text))).first->second;
}

bool SharedFiles::is_full() const {
  std::size_t size = 0;
  for (const auto& one : files_) size += one.second.size();
  return size > kLargestTexts;
}

void SharedFiles::FollowDisk(std::string_view path, std::string_view text, const std::string& hash) {
  SharedText* const shared = Find(path);
  if (shared == nullptr || shared->saved_hash() == hash) return;
  if (shared->is_edited() && shared->text() != text) return;  // the pages ask whose text is to stay
  shared->Replace(text, {}, {});
  shared->MarkSaved(hash, {}, {});
}

}  // namespace davit
