#include "session/recording_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "framework/archive.h"
#include "framework/load_bytes.h"

namespace davit {
namespace {

constexpr const char* kJournal = "journal";
constexpr std::string_view kEnding = ".snap";
constexpr std::size_t kLengthBytes = 8;

std::string NameOf(const RunTape::Snapshot& snapshot) {
  return fmt::format("{:012}{}", snapshot.step, kEnding);
}

/// The length in front, so that records follow each other.
std::string ToRecord(RunTape::Entry entry) {
  const std::string sealed = RunTape::Seal(std::move(entry));
  std::string record;
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    record += static_cast<char>((sealed.size() >> (8 * i)) & 0xff);
  return record + sealed;
}

/// The entry at `at`, which moves behind it; nothing at the end, and where it is cut off or damaged, which
/// `fault` tells: `at` stays.
std::optional<RunTape::Entry> ReadRecord(const std::string& bytes, std::size_t& at, std::string& fault) {
  if (bytes.size() - at < kLengthBytes) return std::nullopt;
  std::size_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  if (length > bytes.size() - at - kLengthBytes) return std::nullopt;
  const std::string_view sealed = std::string_view(bytes).substr(at + kLengthBytes, length);
  std::optional<RunTape::Entry> entry = RunTape::Unseal(sealed, &fault);
  if (entry) at += kLengthBytes + length;
  return entry;
}

/// The snapshot of a file; empty where there is none, or it is damaged, which `fault` tells.
std::string ReadSnapshot(const std::filesystem::path& file, std::string& fault) {
  const std::optional<std::string> bytes = LoadBytes(file);
  if (!bytes) return {};
  std::string why;
  if (OpenArchive(*bytes, &why)) return *bytes;
  fault = file.filename().string() + " " + why.substr(0, why.find(';'));
  return {};
}

/// A branch needs the tape from which it branches, down to the trunk.
void CheckParents(const std::filesystem::path& folder, const std::vector<RunTape>& tapes) {
  for (std::size_t i = 0; i < tapes.size(); ++i) {
    const RunTape& tape = tapes[i];
    const auto before = tapes.begin() + static_cast<std::ptrdiff_t>(i);
    if (i > 0 && tapes[i - 1].number() == tape.number()) {
      throw std::invalid_argument(
          fmt::format("{}: contains {} twice; remove the copy", folder.string(), tape.name()));
    }
    if (tape.parent() == RunTape::kNone) continue;
    if (std::ranges::find(tapes.begin(), before, tape.parent(), &RunTape::number) != before) continue;
    throw std::invalid_argument(
        fmt::format("{}: {} branches from a recording that is not there; bring it back, or remove {}",
                    folder.string(), tape.name(), tape.name()));
  }
}

[[noreturn]] void Fail(const std::filesystem::path& file) {
  const std::string why = errno != 0 ? std::strerror(errno) : "the disk does not take it";
  throw std::runtime_error(fmt::format("{}: cannot write the recording: {}", file.string(), why));
}

void WriteFile(const std::filesystem::path& file, std::string_view bytes) {
  std::filesystem::path part = file;
  part += ".part";
  errno = 0;
  std::ofstream stream(part, std::ios::binary);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  std::error_code fault;
  if (stream) std::filesystem::rename(part, file, fault);
  if (stream && !fault) return;
  const int why = errno;
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  errno = why;
  Fail(file);
}

}  // namespace

RecordingFolder::RecordingFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code fault;
  const std::filesystem::path parent = std::filesystem::absolute(folder_).lexically_normal().parent_path();
  if (!std::filesystem::is_directory(folder_.has_filename() ? parent : parent.parent_path(), fault))
    throw std::runtime_error(fmt::format("{}: there is no folder for it; make it first", folder_.string()));
  std::filesystem::create_directory(folder_, fault);
  if (fault || !std::filesystem::is_directory(folder_))
    throw std::runtime_error(fmt::format("{}: cannot be made a folder for a recording: {}", folder_.string(),
                                         fault ? fault.message() : "it is a file"));
}

std::vector<RunTape> RecordingFolder::Read(std::vector<std::string>& losses) const {
  std::vector<RunTape> tapes;
  for (const auto& place : std::filesystem::directory_iterator(folder_)) {
    const std::filesystem::path journal = place.path() / kJournal;
    const std::optional<std::string> bytes = LoadBytes(journal);
    if (!bytes) {
      throw std::invalid_argument(fmt::format(
          "{}: contains {}, which does not belong to a recording; name an empty folder, or one that "
          "--record has made",
          folder_.string(), place.path().filename().string()));
    }
    RunTape tape;
    std::size_t at = 0;
    std::string fault;
    for (std::optional<RunTape::Entry> entry; (entry = ReadRecord(*bytes, at, fault));) {
      std::string snapshot;
      if (entry->kind == RunTape::Entry::Kind::kSnapshot)
        snapshot = ReadSnapshot(place.path() / NameOf({.step = entry->step}), fault);
      tape.Add(std::move(*entry), std::move(snapshot));
    }
    if (tape.snapshots().empty()) {
      throw std::invalid_argument(
          fmt::format("{}: contains no snapshot that can be read{}; remove the folder, or name another one",
                      place.path().string(), fault.empty() ? fault : " (" + fault + ")"));
    }
    if (at < bytes->size()) {
      losses.push_back(fmt::format(
          "{}: is damaged or cut off after t = {:.9g} s; {} bytes are lost with the commands in them, and "
          "the recording continues from there",
          journal.string(), tape.end_time(), bytes->size() - at));
    }
    tapes.push_back(std::move(tape));
  }
  std::ranges::sort(tapes, {}, &RunTape::number);
  CheckParents(folder_, tapes);
  return tapes;
}

void RecordingFolder::Open(const RunTape& tape) {
  const std::string name = tape.name();
  if (open_ == name) return;
  if (journal_.is_open()) Flush();
  journal_ = std::ofstream(folder_ / name / kJournal, std::ios::binary | std::ios::app);
  open_ = name;
}

void RecordingFolder::WriteJournal(const RunTape& tape) {
  journal_ = {};
  open_.clear();
  std::error_code fault;
  std::filesystem::create_directories(folder_ / tape.name(), fault);
  std::string bytes;
  for (const RunTape::Entry& entry : tape.entries()) bytes += ToRecord(entry);
  WriteFile(folder_ / tape.name() / kJournal, bytes);
}

void RecordingFolder::Append(const RunTape& tape, const RunTape::Entry& entry) {
  Open(tape);
  const std::string record = ToRecord(entry);
  errno = 0;
  journal_.write(record.data(), static_cast<std::streamsize>(record.size()));
  if (!journal_) Fail(folder_ / tape.name() / kJournal);
}

void RecordingFolder::Flush() {
  if (!journal_.is_open()) return;
  errno = 0;
  journal_.flush();
  if (!journal_) Fail(folder_ / open_ / kJournal);
}

void RecordingFolder::Write(const RunTape& tape, const RunTape::Snapshot& snapshot) const {
  WriteFile(folder_ / tape.name() / NameOf(snapshot), snapshot.bytes);
}

void RecordingFolder::Remove(const RunTape& tape, const RunTape::Snapshot& snapshot) const {
  std::error_code ignored;
  std::filesystem::remove(folder_ / tape.name() / NameOf(snapshot), ignored);
}

}  // namespace davit
