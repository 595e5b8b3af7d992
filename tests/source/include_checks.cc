#include "tests/source/include_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "tests/source/include_rules.h"

namespace davit {
namespace {

/// Whether the file is `place`, or lies in or below the folder `place`.
bool IsIn(std::string_view file, std::string_view place) {
  return file.starts_with(place) && (file.size() == place.size() || file[place.size()] == '/');
}
bool IsInAny(std::string_view file, const std::vector<std::string_view>& places) {
  return std::ranges::any_of(places, [&](std::string_view place) { return IsIn(file, place); });
}

std::string Fault(std::string_view file, int line, std::string_view text) {
  return fmt::format("{}:{}: error: {}", file, line, text);
}

bool IsProduct(std::string_view file) { return !IsIn(file, "tests") && !IsIn(file, "benchmarks"); }

bool HasFile(const SourceTree& tree, std::string_view path) {
  const auto found = std::ranges::lower_bound(tree, path, {}, &SourceFile::path);
  return found != tree.end() && found->path == path;
}

const Layer* FindLayer(std::string_view file) {
  const Layer* innermost = nullptr;
  for (const Layer& layer : Layers()) {
    const bool is_inner = innermost == nullptr || layer.folder.size() > innermost->folder.size();
    if (IsIn(file, layer.folder) && is_inner) innermost = &layer;
  }
  return innermost;
}

/// What includes what, with the place of one such line for each pair.
struct Graph {
  struct Edge {
    std::string file;
    int line = 0;
  };
  std::map<std::string, std::map<std::string, Edge>, std::less<>> edges;

  void Add(const std::string& from, const std::string& to, const SourceFile& file, const IncludeLine& line) {
    edges[from].try_emplace(to, Edge{file.path, line.line});
  }

  /// The shortest circle that begins and ends with `start`; empty where there is none.
  std::vector<std::string> CircleOf(const std::string& start) const {
    std::map<std::string, std::string> reached_from;
    std::deque<std::string> open{start};
    while (!open.empty()) {
      const std::string from = open.front();
      open.pop_front();
      const auto found = edges.find(from);
      if (found == edges.end()) continue;
      for (const auto& [to, edge] : found->second) {
        if (!reached_from.emplace(to, from).second) continue;
        if (to == start) return Path(reached_from, start);
        open.push_back(to);
      }
    }
    return {};
  }

  /// Each line of the circle is an include that could be taken away.
  std::string Report(const std::vector<std::string>& circle, std::string_view remedy) const {
    const Edge& first = edges.at(circle[0]).at(circle[1]);
    std::string text = Fault(first.file, first.line,
                             fmt::format("a circle of includes: {}; {}", fmt::join(circle, " -> "), remedy));
    for (std::size_t i = 1; i + 1 < circle.size(); ++i) {
      const Edge& edge = edges.at(circle[i]).at(circle[i + 1]);
      text += fmt::format("\n  {}:{} includes {}", edge.file, edge.line, circle[i + 1]);
    }
    return text;
  }

 private:
  static std::vector<std::string> Path(const std::map<std::string, std::string>& reached_from,
                                       const std::string& start) {
    std::vector<std::string> circle{start};
    for (std::string at = reached_from.at(start); at != start; at = reached_from.at(at)) circle.push_back(at);
    circle.push_back(start);
    std::ranges::reverse(circle);
    return circle;
  }
};

/// The circles through the nodes that `is_asked` accepts, each once.
SourceFaults CirclesOf(const Graph& graph, std::string_view remedy, const auto& is_asked) {
  SourceFaults faults;
  std::set<std::set<std::string>> known;
  for (const auto& [node, targets] : graph.edges) {
    if (!is_asked(node)) continue;
    const std::vector<std::string> circle = graph.CircleOf(node);
    if (circle.empty() || !known.emplace(circle.begin(), circle.end()).second) continue;
    faults.push_back(graph.Report(circle, remedy));
  }
  return faults;
}

std::string_view ParentOf(std::string_view path) {
  return path.substr(0, std::min(path.find_last_of('/'), path.size()));
}

/// `folder/sub` of folder/sub/more/file.h; folder/file of folder/file.h.
std::string NodeIn(std::string_view folder, std::string_view file) {
  const std::size_t end = file.find('/', folder.size() + 1);
  return std::string(file.substr(0, end == std::string_view::npos ? file.find_last_of('.') : end));
}

/// All folders of product code that have sub-folders.
std::set<std::string> FoldersWithSubFolders(const SourceTree& tree) {
  std::set<std::string> folders;
  for (const SourceFile& file : tree) {
    if (!IsProduct(file.path) || IsIn(file.path, "include")) continue;
    std::string_view folder = ParentOf(file.path);
    while (folder.find('/') != std::string_view::npos) {
      folder = ParentOf(folder);
      folders.emplace(folder);
    }
  }
  return folders;
}

bool IsException(const SourceFile& file, const IncludeLine& include) {
  return std::ranges::any_of(CircleExceptions(), [&](const CircleException& exception) {
    return exception.file == file.path && exception.include == include.path;
  });
}

}  // namespace

SourceFaults CheckLayers(const SourceTree& tree) {
  SourceFaults faults;
  for (const SourceFile& file : tree) {
    const Layer* const layer = FindLayer(file.path);
    if (layer == nullptr) {
      faults.push_back(
          Fault(file.path, 1, "its folder has no layer; add it to tests/source/include_rules.cc"));
      continue;
    }
    for (const IncludeLine& include : file.includes) {
      if (!include.is_quoted) continue;
      if (!HasFile(tree, include.path)) {
        faults.push_back(Fault(file.path, include.line,
                               fmt::format("no file {}; write it from the root of the repository, headers of "
                                           "libraries in <>",
                                           include.path)));
      } else if (!IsIn(include.path, layer->folder) && !IsInAny(include.path, layer->may_include)) {
        faults.push_back(
            Fault(file.path, include.line,
                  fmt::format("includes {}; files of {} may include {}", include.path, layer->folder,
                              layer->may_include.empty()
                                  ? "their own folder only"
                                  : fmt::format("{}", fmt::join(layer->may_include, ", ")))));
      }
    }
  }
  return faults;
}

SourceFaults CheckLibraries(const SourceTree& tree) {
  SourceFaults faults;
  for (const SourceFile& file : tree) {
    if (!IsProduct(file.path)) continue;
    for (const IncludeLine& include : file.includes) {
      if (include.is_quoted) continue;
      for (const LibraryRule& rule : LibraryRules()) {
        const bool is_of_library = std::ranges::any_of(
            rule.headers, [&](std::string_view header) { return include.path.starts_with(header); });
        if (!is_of_library || IsInAny(file.path, rule.users)) continue;
        faults.push_back(Fault(file.path, include.line,
                               fmt::format("includes <{}>; {} is used by {} only", include.path, rule.library,
                                           fmt::join(rule.users, ", "))));
      }
    }
  }
  return faults;
}

SourceFaults CheckFileCircles(const SourceTree& tree) {
  Graph graph;
  for (const SourceFile& file : tree) {
    for (const IncludeLine& include : file.includes) {
      if (include.is_quoted) graph.Add(file.path, include.path, file, include);
    }
  }
  return CirclesOf(graph, "declare a class forward, or move what both need to a file of its own",
                   [](const std::string& /*file*/) { return true; });
}

SourceFaults CheckSubFolders(const SourceTree& tree) {
  SourceFaults faults;
  for (const SubFolders& folder : SubFolderOrders()) {
    const auto level = [&](std::string_view file) {
      const std::string node = NodeIn(folder.folder, file);
      return std::ranges::find(folder.order, std::string_view(node).substr(folder.folder.size() + 1)) -
             folder.order.begin();
    };
    const auto is_below = [&](std::string_view file) {
      return IsIn(file, folder.folder) && ParentOf(file) != folder.folder;
    };
    for (const SourceFile& file : tree) {
      if (!is_below(file.path)) continue;
      if (level(file.path) == std::ssize(folder.order)) {
        faults.push_back(
            Fault(file.path, 1,
                  fmt::format(
                      "{} has no place in the order of sub-folders; add it to tests/source/include_rules.cc",
                      NodeIn(folder.folder, file.path))));
        continue;
      }
      for (const IncludeLine& include : file.includes) {
        if (!include.is_quoted || !is_below(include.path) || level(include.path) <= level(file.path))
          continue;
        faults.push_back(Fault(file.path, include.line,
                               fmt::format("includes {}; the sub-folders of {} are, lowest first, {}",
                                           include.path, folder.folder, fmt::join(folder.order, ", "))));
      }
    }
  }
  for (const std::string& folder : FoldersWithSubFolders(tree)) {
    if (std::ranges::find(SubFolderOrders(), folder, &SubFolders::folder) != SubFolderOrders().end())
      continue;
    faults.push_back(
        Fault(folder, 1, "its sub-folders have no order; add them to tests/source/include_rules.cc"));
  }
  return faults;
}

SourceFaults CheckSubFolderCircles(const SourceTree& tree) {
  SourceFaults faults;
  for (const std::string& folder : FoldersWithSubFolders(tree)) {
    Graph graph;
    std::set<std::string> sub_folders;
    for (const SourceFile& file : tree) {
      if (!IsIn(file.path, folder)) continue;
      const std::string from = NodeIn(folder, file.path);
      if (ParentOf(file.path) != folder) sub_folders.insert(from);
      for (const IncludeLine& include : file.includes) {
        if (!include.is_quoted || !IsIn(include.path, folder) || IsException(file, include)) continue;
        const std::string to = NodeIn(folder, include.path);
        if (from != to) graph.Add(from, to, file, include);
      }
    }
    std::ranges::move(CirclesOf(graph, "move a file to the folder that it belongs to",
                                [&](const std::string& node) { return sub_folders.contains(node); }),
                      std::back_inserter(faults));
  }
  return faults;
}

SourceFaults CheckRules(const SourceTree& tree) {
  SourceFaults faults;
  const std::string_view rules = "tests/source/include_rules.cc";
  const auto includes = [](const SourceFile& file, const auto& is_it) {
    return std::ranges::any_of(file.includes, is_it);
  };
  for (const LibraryRule& rule : LibraryRules()) {
    for (const std::string_view user : rule.users) {
      const auto is_of_library = [&](const IncludeLine& include) {
        return !include.is_quoted && std::ranges::any_of(rule.headers, [&](std::string_view header) {
          return include.path.starts_with(header);
        });
      };
      const bool is_used = std::ranges::any_of(tree, [&](const SourceFile& file) {
        return IsIn(file.path, user) && includes(file, is_of_library);
      });
      if (!is_used)
        faults.push_back(Fault(rules, 1, fmt::format("{} does not use {}; take it out", user, rule.library)));
    }
  }
  for (const CircleException& exception : CircleExceptions()) {
    const bool is_there = std::ranges::any_of(tree, [&](const SourceFile& file) {
      return file.path == exception.file &&
             includes(file, [&](const IncludeLine& include) { return include.path == exception.include; });
    });
    if (!is_there)
      faults.push_back(Fault(rules, 1,
                             fmt::format("{} does not include {} any longer; take the exception out",
                                         exception.file, exception.include)));
  }
  return faults;
}

}  // namespace davit
