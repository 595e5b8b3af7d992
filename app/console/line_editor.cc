#include "app/console/line_editor.h"

#include <histedit.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <utility>
#include <vector>

namespace davit {
namespace {

constexpr int kMostRemembered = 1000;
constexpr std::size_t kMostListed = 200;
constexpr std::size_t kWidth = 100;  // of the list of candidates

/// What all of them begin with. Pre: there are some.
std::string CommonBeginning(const std::vector<std::string>& words) {
  std::string common = words.front();
  for (const std::string& word : words) {
    const auto end = std::ranges::mismatch(common, word).in1;
    common.erase(end, common.end());
  }
  return common;
}

void List(const std::vector<std::string>& words) {
  std::size_t widest = 0;
  for (const std::string& word : words) widest = std::max(widest, word.size());
  const std::size_t columns = std::max<std::size_t>(1, kWidth / (widest + 2));
  std::fputc('\n', stdout);
  for (std::size_t i = 0; i < std::min(words.size(), kMostListed); ++i) {
    const bool is_last = i + 1 == words.size() || i + 1 == kMostListed || (i + 1) % columns == 0;
    std::fprintf(stdout, "%-*s%s", is_last ? 0 : static_cast<int>(widest + 2), words[i].c_str(),
                 is_last ? "\n" : "");
  }
  if (words.size() > kMostListed) std::fprintf(stdout, "... %zu more\n", words.size() - kMostListed);
}

}  // namespace

struct LineEditor::Parts {
  static Parts& Of(EditLine* editor) {
    void* parts = nullptr;
    el_get(editor, EL_CLIENTDATA, &parts);
    return *static_cast<Parts*>(parts);
  }

  static char* Prompt(EditLine* editor) { return Of(editor).prompt.data(); }

  /// The Tab key.
  static unsigned char Complete(EditLine* editor, int /*key*/) {
    const LineInfo* const line = el_line(editor);
    const std::string_view before(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer));
    const Completion completion = Of(editor).complete(before);
    if (completion.candidates.empty()) return CC_REFRESH_BEEP;
    std::string word = CommonBeginning(completion.candidates);
    const bool is_whole = completion.candidates.size() == 1;
    if (is_whole && !word.ends_with('.') && !word.ends_with('/')) word += ' ';
    if (!is_whole && word.size() <= completion.length) {
      List(completion.candidates);
      return CC_REDISPLAY;
    }
    el_deletestr(editor, static_cast<int>(completion.length));
    return el_insertstr(editor, word.c_str()) == 0 ? CC_REFRESH : CC_REFRESH_BEEP;
  }

  /// Ctrl-C.
  static unsigned char Drop(EditLine* editor, int /*key*/) {
    Of(editor).is_dropped = true;
    std::fputs("^C", stdout);
    return CC_NEWLINE;
  }

  Completer complete;
  std::filesystem::path file;
  std::string prompt;
  bool is_dropped = false;
  EditLine* editor = nullptr;
  History* history = nullptr;
  HistEvent event{};
};

LineEditor::LineEditor(Completer complete, std::filesystem::path history)
    : parts_(std::make_unique<Parts>()) {
  Parts& parts = *parts_;
  parts.complete = std::move(complete);
  parts.file = std::move(history);
  parts.editor = el_init("davit", stdin, stdout, stderr);
  parts.history = history_init();
  if (parts.editor == nullptr || parts.history == nullptr) throw std::runtime_error("no line editor");
  ::history(parts.history, &parts.event, H_SETSIZE, kMostRemembered);
  ::history(parts.history, &parts.event, H_SETUNIQUE, 1);
  if (!parts.file.empty()) ::history(parts.history, &parts.event, H_LOAD, parts.file.c_str());
  el_set(parts.editor, EL_CLIENTDATA, &parts);
  el_set(parts.editor, EL_PROMPT, &Parts::Prompt);
  el_set(parts.editor, EL_EDITOR, "emacs");
  el_set(parts.editor, EL_SIGNAL, 1);
  el_set(parts.editor, EL_HIST, ::history, parts.history);
  el_set(parts.editor, EL_ADDFN, "davit-complete", "Completes the word", &Parts::Complete);
  el_set(parts.editor, EL_ADDFN, "davit-drop", "Drops the line", &Parts::Drop);
  el_set(parts.editor, EL_BIND, "^I", "davit-complete", nullptr);
  el_set(parts.editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_set(parts.editor, EL_SETTY, "-d", "-isig",
         nullptr);  // Ctrl-C is a key like others while a line is edited
  el_set(parts.editor, EL_BIND, "^C", "davit-drop", nullptr);
}

LineEditor::~LineEditor() {
  if (!parts_->file.empty()) {
    std::error_code ignored;
    std::filesystem::create_directories(parts_->file.parent_path(), ignored);
    ::history(parts_->history, &parts_->event, H_SAVE, parts_->file.c_str());
  }
  history_end(parts_->history);
  el_end(parts_->editor);
}

std::optional<std::string> LineEditor::Read(std::string prompt) {
  parts_->prompt = std::move(prompt);
  while (true) {
    parts_->is_dropped = false;
    int count = 0;
    // Else the prompt is there before the keys are: a Ctrl-D that somebody types then would be lost.
    el_set(parts_->editor, EL_PREP_TERM, 1);
    const char* const text = el_gets(parts_->editor, &count);
    if (parts_->is_dropped) {  // of an empty line nothing is given
      std::fputc('\n', stdout);
      continue;
    }
    if (text == nullptr || count <= 0) return std::nullopt;
    std::string line(text, static_cast<std::size_t>(count));
    line.erase(std::min(line.find_last_not_of("\r\n") + 1, line.size()));
    if (line.find_first_not_of(" \t") != std::string::npos)
      ::history(parts_->history, &parts_->event, H_ENTER, line.c_str());
    return line;
  }
}

}  // namespace davit
