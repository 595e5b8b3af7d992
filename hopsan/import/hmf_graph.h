#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "framework/diagnostics.h"
#include "hopsan/import/hmf_file.h"
#include "hopsan/import/type_catalog.h"

namespace davit::hopsan {

/// The components, sub-systems and nodes of a file: what its connects join.
class HmfGraph {
 public:
  static constexpr int kNone = -1;

  /// A component or a system.
  struct Unit {
    const HmfComponent* component = nullptr;
    const HmfSystem* system = nullptr;
    int parent = kNone;                     ///< the system that contains it
    std::string name = {};                  ///< as davit writes it
    std::string path = {};                  ///< of davit: `chamber.v`; of the root empty
    std::string hopsan_name = {};           ///< `chamber$v`
    const HopsanComponent* type = nullptr;  ///< null for systems and unknown types
    std::vector<int> children = {};         ///< of a system: in the order of the file
    std::vector<std::string> ports = {};    ///< of a system
  };
  /// A port, or one of the places of a multi-port.
  struct End {
    int unit = kNone;
    std::string port;
    TypePort what;                ///< kNone for system ports and ports of unknown types
    std::size_t connect = 0;      ///< number of the connect that made it
    bool is_system_port = false;  ///< seen from inside and outside
  };
  struct Node {
    std::vector<int> ends;
    int c = kNone, q = kNone;  ///< power ports
    int writer = kNone;        ///< of a signal
    const Domain* domain = nullptr;
  };

  HmfGraph(const HmfFile& file, TypeCatalog& types, bool has_stubs, Diagnostics& diagnostics);

  const std::vector<Unit>& units() const { return units_; }
  const std::vector<End>& ends() const { return ends_; }
  const End& end(int e) const { return ends_[static_cast<std::size_t>(e)]; }
  const Unit& unit(int u) const { return units_[static_cast<std::size_t>(u)]; }
  /// All nodes, in the order of their first connects.
  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& NodeOf(int e) const { return nodes_[node_of_[static_cast<std::size_t>(e)]]; }
  /// The ends at a port: several of a multi-port.
  std::vector<int> EndsAt(int unit, std::string_view port) const;
  /// Whether a component is in a system, maybe inside of another.
  bool IsInside(int unit, int system) const;
  /// `C`, `Q` or `S`: what the ports of a system touch inside.
  std::string_view KindOf(int system) const;
  /// How the messages write a unit: `/chamber/v`.
  std::string DisplayPath(int unit) const;
  /// Types that nobody has specified, with how often and where first.
  struct UnknownType {
    std::size_t count = 0;
    SourceLocation place;
  };
  const std::map<std::string, UnknownType>& unknown_types() const { return unknown_; }

 private:
  int AddSystem(const HmfSystem& system, int parent);
  int AddUnit(Unit unit, const std::string& hopsan_name, const SourceLocation& place);
  void ReadConnects(int system);
  /// The end that a connect names; kNone after an error.
  int FindEnd(int system, const HmfEnd& end, const SourceLocation& place);
  int AddEnd(End end);
  int SingleEnd(int unit, const std::string& port, const TypePort& what, bool is_system_port);
  int RootOf(int end);
  void Join(int a, int b, int system, const SourceLocation& place);
  void MakeNodes();

  TypeCatalog& types_;
  bool has_stubs_;
  Diagnostics& diagnostics_;
  std::vector<Unit> units_;
  std::vector<std::map<std::string, int, std::less<>>> names_;  ///< by system unit: its children
  std::vector<End> ends_;
  std::map<std::pair<int, std::string>, int> single_ends_;
  std::vector<int> above_;    ///< by end: towards the root of its node
  std::vector<Node> joined_;  ///< by end; that of the root counts
  std::vector<Node> nodes_;
  std::vector<std::size_t> node_of_;       ///< by end
  std::vector<std::vector<int>> ends_of_;  ///< by unit
  std::size_t connect_count_ = 0;
  std::map<std::string, UnknownType> unknown_;
};

}  // namespace davit::hopsan
