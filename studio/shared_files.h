#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/http_query.h"
#include "studio/folder.h"
#include "studio/json_text.h"
#include "studio/shared_text.h"

namespace davit {

/// The pages that have the folder open, and the files that one of them has edited and another one may edit at
/// the same time. Nothing of it is on disk before a page saves; each browser keeps drafts of its own. In
/// one thread.
class SharedFiles {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// After which a page that does not ask is gone, and with the last page what was not saved (each browser
  /// keeps its drafts).
  static constexpr std::chrono::seconds kLongestSilence{150};
  static constexpr std::size_t kMostPeople = 200;
  /// Of all shared texts together, beyond which edits are refused [UTF-16 units].
  static constexpr std::size_t kLargestTexts = 64U << 20;

  explicit SharedFiles(std::shared_ptr<const Folder> folder) : folder_(std::move(folder)) {}

  /// Somebody has asked: who, which file is shown, and what is selected there.
  void NotePerson(const std::string& client, const HttpQuery& query, std::string path,
                  std::vector<std::string> chosen, Time now);
  /// A page was closed. With the last one go the edits that are not saved.
  void Forget(std::string_view client);
  /// All pages but `client`, as JSON.
  Json PeopleBut(std::string_view client) const;
  /// `anna`, or `Guest 2` where there are no users.
  std::string NameOf(std::string_view client) const;

  /// A shared file; nothing where it has no edits.
  SharedText* Find(std::string_view path);
  /// The same; read from the disk where it is not shared yet. Nothing where it cannot be read.
  SharedText* Open(const std::string& path);
  bool is_full() const;
  const std::map<std::string, SharedText, std::less<>>& files() const { return files_; }

  /// The disk has this text now: taken over where there are no edits that are not saved.
  void FollowDisk(std::string_view path, std::string_view text, const std::string& hash);

 private:
  struct Person {
    int number = 0;
    std::string user = {};
    std::string path = {};
    std::vector<std::string> chosen = {};
    Time asked = {};
  };

  std::shared_ptr<const Folder> folder_;
  std::map<std::string, Person, std::less<>> people_;  ///< by client
  std::map<std::string, SharedText, std::less<>> files_;
  int last_number_ = 0;
};

}  // namespace davit
