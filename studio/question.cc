#include "studio/question.h"

#include <fmt/format.h>

#include <utility>

namespace davit {

std::string Question::ReasonToStop() const {
  if (is_dropped_) return "a newer question was asked; wait for its answer";
  if (Clock::now() - begin_ <= kLongest) return {};
  return fmt::format("it takes more than {} s; make the system smaller, or use davit check",
                     kLongest.count());
}

std::shared_ptr<Question> QuestionList::Add(const std::string& kind, const std::string& client) {
  auto question = std::make_shared<Question>();
  std::erase_if(newest_, [](const auto& one) { return one.second.expired(); });
  if (client.empty()) return question;
  std::weak_ptr<Question>& newest = newest_[{kind, client}];
  if (const std::shared_ptr<Question> before = newest.lock()) before->Drop();
  newest = question;
  return question;
}

}  // namespace davit
