#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace davit {

/// A program that runs beside a test, with pipes for its input and its two outputs.
class ChildProgram {
 public:
  explicit ChildProgram(const std::vector<std::string>& arguments);
  /// Ends it if it still runs.
  ~ChildProgram();
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  void Write(std::string_view text) const;
  void CloseInput();
  void Send(int signal) const;
  /// Waits until stderr has `text`; false if the program ended without.
  bool WaitForError(std::string_view text);
  /// Closes its input, reads its outputs to their ends and returns its exit code; -1 after a signal.
  int Finish();
  const std::string& out() const { return out_; }
  const std::string& err() const { return err_; }

 private:
  /// Reads what comes next; false at the end of both outputs.
  bool ReadMore();

  pid_t process_ = -1;
  int input_ = -1;
  int outputs_[2] = {-1, -1};
  std::string out_, err_;
};

}  // namespace davit
