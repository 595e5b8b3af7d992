#pragma once

#include <filesystem>
#include <string>

namespace davit {

/// A shared library that was opened, or what is wrong with it.
struct LibraryResult {
  void* handle = nullptr;     ///< for dlsym and dlclose; null where there is a fault
  std::string fault;          ///< without the name of the file
  bool is_of_loader = false;  ///< `fault` is the text of dlerror; else it ends with a remedy
};

/// Opens a shared library with dlopen and its `flags`. A file that cannot be read, or that lacks what its
/// head promises, such as a copy that was interrupted, is refused: the loader would wait, or end the process
/// by SIGBUS or SIGSEGV. Damage inside of machine code, names or relocations is not found.
LibraryResult OpenLibrary(const std::filesystem::path& file, int flags);

/// What OpenLibrary refuses; empty where the loader may have the file.
std::string FindLibraryDamage(const std::filesystem::path& file);

}  // namespace davit
