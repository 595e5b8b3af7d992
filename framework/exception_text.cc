#include "framework/exception_text.h"

#include <filesystem>
#include <new>
#include <system_error>

namespace davit {

std::string Explain(const std::exception& fault) {
  namespace fs = std::filesystem;
  if (dynamic_cast<const std::bad_alloc*>(&fault) != nullptr)
    return "out of memory; make the system smaller, record less, use fewer threads or jobs, or raise the "
           "limit "
           "(ulimit -v)";
  const auto* const of_system = dynamic_cast<const std::system_error*>(&fault);
  if (of_system == nullptr) return fault.what();
  const std::string reason = of_system->code().message();
  if (const auto* const of_files = dynamic_cast<const fs::filesystem_error*>(&fault)) {
    std::error_code gone;
    if (fs::current_path(gone).empty()) return "the current folder was removed; change to another one";
    const fs::path& file = of_files->path1();
    return (file.empty() ? "" : file.string() + ": ") + reason + "; check the path and its permissions";
  }
  if (of_system->code() == std::errc::resource_unavailable_try_again)
    return "the operating system starts no further thread or process (" + reason +
           "); end others, or raise the limits (ulimit -u, ulimit -v)";
  return fault.what();
}

}  // namespace davit
