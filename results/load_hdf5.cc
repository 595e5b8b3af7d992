#include "results/load_hdf5.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <vector>

#include "results/file_descriptor.h"
#include "results/hdf5_handle.h"
#include "results/option_names.h"

namespace davit {
namespace {

std::string ReadAttribute(hid_t of, const char* name) {
  if (H5Aexists(of, name) <= 0) return {};
  const Hdf5Handle attribute(H5Aopen(of, name, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0) return {};
  constexpr std::size_t kLongestText = 1U << 20;
  if (H5Tget_size(type.get()) > kLongestText) return {};
  std::string text(H5Tget_size(type.get()), '\0');
  if (H5Aread(attribute.get(), type.get(), text.data()) < 0) return {};
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

/// Length of a dataset of one dimension; nothing where it is of another kind.
std::optional<std::size_t> LengthOf(hid_t dataset) {
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  hsize_t size = 0;
  if (H5Sget_simple_extent_ndims(space.get()) != 1) return std::nullopt;
  H5Sget_simple_extent_dims(space.get(), &size, nullptr);
  return size;
}

bool Read(hid_t dataset, std::vector<double>& values) {
  return values.empty() ||
         H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
}

herr_t AddName(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

/// What a file has, in the order in which it was made, where the file records that.
std::vector<std::string> NamesIn(hid_t file) {
  std::vector<std::string> names;
  if (H5Literate(file, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, AddName, &names) < 0) {
    names.clear();
    H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, AddName, &names);
  }
  return names;
}

/// In the child process: writes the names, each with a zero byte, after opening what they name.
void TryToOpen(const std::filesystem::path& path, int names_to) {
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.is_open()) return;
  std::string names;
  for (const std::string& name : NamesIn(file.get())) {
    const Hdf5Handle dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (dataset.is_open() && LengthOf(dataset.get())) {
      ReadAttribute(dataset.get(), "unit");
      ReadAttribute(dataset.get(), "options");
    }
    names += name + '\0';
  }
  for (std::string_view rest = names; !rest.empty();) {
    const ssize_t count = ::write(names_to, rest.data(), rest.size());
    if (count < 0 && errno != EINTR) return;
    rest.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
}

/// The names of what a file has; nothing where the HDF5 library does not survive opening it. Damaged
/// addresses and counts lead it outside of its memory, so a child process goes first.
std::optional<std::vector<std::string>> FindNames(const std::filesystem::path& path) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  FileDescriptor from(ends[0]), to(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) return std::nullopt;
  if (child == 0) {
    const rlimit no_core{};
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);  // what the allocator says when it finds damage
    for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) std::signal(signal, SIG_DFL);
    constexpr unsigned kLongest = 60;  // [s]
    std::signal(SIGALRM, SIG_DFL);
    alarm(kLongest);
    try {
      TryToOpen(path, to.get());
    } catch (const std::exception&) {
      _exit(1);
    }
    _exit(0);
  }
  to.Close();
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = ::read(from.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < text.size(); begin += names.back().size() + 1)
    names.emplace_back(text.c_str() + begin);
  return names;
}

}  // namespace

std::optional<ResultTable> LoadHdf5(const std::filesystem::path& path, std::string* fault) {
  const auto fail = [&](std::string text) {
    *fault = std::move(text);
    return std::nullopt;
  };
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // faults are reported here
  std::optional<std::vector<std::string>> found = FindNames(path);
  if (!found) return fail("is damaged; run the simulation again");
  std::vector<std::string>& names = *found;
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.is_open()) return fail("cannot be read as an HDF5 file; run the simulation again");
  if (std::ranges::find(names, "time") == names.end())
    return fail("has no dataset 'time'; a result has one for the time and one for each signal");
  ResultTable table;
  std::optional<std::size_t> times;
  std::ranges::stable_partition(names, [](const std::string& name) { return name == "time"; });
  for (const std::string& name : names) {
    const Hdf5Handle dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    const std::optional<std::size_t> length = dataset.is_open() ? LengthOf(dataset.get()) : std::nullopt;
    if (!length) return fail(fmt::format("'{}' is not a signal, which is a dataset of one dimension", name));
    // A run that was cut off may have written more of some.
    times = std::min(times.value_or(*length), *length);
    if (*length > kMostResultValues / names.size()) return fail("is too large to be read");
    std::vector<double> values(*length);
    if (!Read(dataset.get(), values)) return fail(fmt::format("'{}' cannot be read as numbers", name));
    if (name == "time") {
      table.time = std::move(values);
      continue;
    }
    table.names.push_back(name);
    table.units.push_back(ReadAttribute(dataset.get(), "unit"));
    table.options.push_back(SplitOptions(ReadAttribute(dataset.get(), "options")));
    table.columns.push_back(std::move(values));
  }
  table.time.resize(*times);
  for (std::vector<double>& column : table.columns) column.resize(*times);
  return table;
}

}  // namespace davit
