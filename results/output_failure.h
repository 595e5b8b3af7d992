#pragma once

#include <cerrno>
#include <stdexcept>
#include <string>

namespace davit {

/// A file could not be opened or written; the text says which, why and what helps.
class OutputFailure : public std::runtime_error {
 public:
  /// `error` is the errno.
  OutputFailure(const std::string& text, int error) : std::runtime_error(text), error_(error) {}
  int error() const { return error_; }
  /// Whether another path would do: not where a disk is full or fails.
  bool is_of_path() const {
    switch (error_) {
      case ENOENT:
      case ENOTDIR:
      case EISDIR:
      case EACCES:
      case EPERM:
      case EROFS:
      case ENAMETOOLONG:
      case ELOOP:
      case EINVAL: return true;
      default: return false;
    }
  }

 private:
  int error_;
};

}  // namespace davit
