#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "session/run_tape.h"

namespace davit {

/// A recording on disk: a folder for each tape, which contains its snapshots and its journal.
///
/// All but Read throw std::runtime_error where the disk does not take it.
class RecordingFolder {
 public:
  explicit RecordingFolder(std::filesystem::path folder);

  const std::filesystem::path& path() const { return folder_; }
  /// The tapes that are there, the first one first, each until its journal is cut off, as by a crash, or
  /// damaged: `losses` gets a line for each one that is. A snapshot that is damaged is left out. Throws
  /// std::invalid_argument where the folder contains something else, or lacks a tape or all its snapshots.
  std::vector<RunTape> Read(std::vector<std::string>& losses) const;
  /// A new tape, or one whose journal has lost its beginning: all entries are written again.
  void WriteJournal(const RunTape& tape);
  /// The entry that a tape has got last.
  void Append(const RunTape& tape, const RunTape::Entry& entry);
  /// What Append was given is on disk.
  void Flush();
  void Write(const RunTape& tape, const RunTape::Snapshot& snapshot) const;
  void Remove(const RunTape& tape, const RunTape::Snapshot& snapshot) const;

 private:
  void Open(const RunTape& tape);

  std::filesystem::path folder_;
  std::string open_;  ///< the tape whose journal is open
  std::ofstream journal_;
};

}  // namespace davit
