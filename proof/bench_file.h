#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/xml/element_kind.h"
#include "framework/xml/file_source.h"

namespace davit {

/// An element of a bench as it is written; BenchElementKinds has what it means.
struct BenchElement {
  const ElementKind* kind = nullptr;
  SourceLocation place = {};
  std::map<std::string, std::string, std::less<>> given = {};  ///< the attributes
  bool is_whole = true;                                        ///< nothing is wrong with its attributes

  /// The value of an attribute; empty where it is not given.
  std::string_view Get(std::string_view attribute) const;
  bool Has(std::string_view attribute) const { return given.contains(attribute); }
};

/// What one run starts with, what happens in it, and what is expected of it.
struct BenchCase : BenchElement {
  std::string name;
  std::filesystem::path system, snapshot;   ///< of the case or the bench; no snapshot: empty
  std::string stop;                         ///< likewise
  std::vector<BenchElement> settings = {};  ///< `<Set>` and `<Level>`; those of the bench come first
  std::vector<BenchElement> actions = {};   ///< `<At>` and `<When>`
  std::vector<BenchElement> expectations = {};
};

struct Bench {
  std::filesystem::path file;
  std::string text = {};
  std::vector<std::string> covered = {};  ///< paths of charts, of `<Cover>`
  std::vector<BenchCase> cases = {};
};

/// Reads a bench file:
///
///     <Bench system="lift.xml" stop="8 s">
///       <Case name="lifts 5 t">
///         <Set path="load.mass" value="5 t"/>
///         <At time="1 s" set="dcv.spool" value="1"/>
///         <Within expr="load.x ge 1.5 m" time="4 s"/>
///         <Never expr="pump.p_out gt 250 bar"/>
///       </Case>
///     </Bench>
///
/// Files are looked up beside the bench. All that is wrong with elements and attributes goes to `diagnostics`
/// in one pass; what they name is checked with the systems (BenchRun::Check), also of a bench with errors.
/// `files` null: the disk.
Bench LoadBench(const std::filesystem::path& file, Diagnostics& diagnostics,
                const FileSource* files = nullptr);

}  // namespace davit
