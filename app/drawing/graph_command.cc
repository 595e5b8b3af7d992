#include "app/drawing/graph_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/check_command.h"
#include "app/drawing/draw_mechanism.h"
#include "app/exit_code.h"
#include "app/print_diagnostics.h"
#include "drawing/dot_program.h"
#include "drawing/draw_changes.h"
#include "drawing/draw_system.h"
#include "framework/counted.h"
#include "framework/escape.h"
#include "framework/exception_text.h"
#include "framework/nearest_name.h"
#include "framework/port.h"
#include "framework/units/quantity.h"
#include "framework/units/unit_system.h"
#include "framework/xml/compare_systems.h"
#include "framework/xml/escape_xml.h"
#include "results/output_file.h"
#include "session/output_paths.h"
#include "simulator/charts/chart_set.h"
#include "simulator/charts/statechart.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/islands/island.h"
#include "simulator/simulator_manager.h"
#include "simulator/solver_type.h"

namespace davit {
namespace {

constexpr std::string_view kFont = "Helvetica,Arial,sans-serif";
constexpr std::string_view kInk = "#263238";
constexpr std::string_view kFaint = "#607d8b";
constexpr std::string_view kSignalColor = "#455a64";
constexpr std::string_view kIslandColor = "#f3f6f9";
constexpr std::string_view kIslandBorder = "#cfd8dc";

/// For the HTML-like labels of DOT, where a backslash begins an escape too.
std::string EscapeHtml(std::string_view text) { return Escape(EscapeXml(text), {{'\\', "\\\\"}}); }

/// As a string of DOT. Graphviz reads entities in it, so `&` is one.
std::string QuoteDot(std::string_view text) {
  return '"' + Escape(text, {{'"', "\\\""}, {'\\', "\\\\"}, {'&', "&amp;"}, {'\n', " "}}) + '"';
}

bool IsNamedChart(const Component& component) {
  const auto* chart = dynamic_cast<const Statechart*>(&component);
  return chart != nullptr && !chart->chart().is_default();
}

/// The components that are drawn: all but parts such as the manager, sub-systems, and default charts, which
/// every component with levels has.
std::vector<Component*> FindSimulated(const System& system) {
  std::vector<Component*> found;
  std::ranges::copy_if(system.components(), std::back_inserter(found), [](const Component* component) {
    return dynamic_cast<const DynamicSimComponent*>(component) != nullptr || IsNamedChart(*component);
  });
  return found;
}

/// Makes the DOT text of one system.
class Drawing {
 public:
  explicit Drawing(System& system) : system_(system), islands_(SimulatorManager::Of(system).islands()) {
    for (Component* component : FindSimulated(system)) {
      node_of_.emplace(component, nodes_.size());
      nodes_.push_back({component, std::nullopt, IsFree(*component), {}});
    }
    for (std::size_t i = 0; i < islands_.size(); ++i) {
      for (const DynamicSimComponent* member : islands_[i]->members()) {
        const auto node = node_of_.find(member);
        if (node != node_of_.end()) nodes_[node->second].island = i;  // others are copies of sources
      }
    }
    followers_.resize(nodes_.size());
    for (const auto* routes : {&system.routes(), &system.sampled_routes()}) {
      for (const Route& route : *routes) {
        const Component* from = Drawn(route.from.owner());
        // A parameter of the manager has no node; operators belong to the node of their component.
        if (from != nullptr && (from == &route.from.owner() || from != Drawn(*route.to_owner)))
          routes_.push_back(&route);
      }
    }
    FindSources();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].is_source && FindReadingIslands(i).size() > 1) nodes_[i].island.reset();
    }
    AddConnections();
    AddUnconnectedPorts();
    AddRoutes();
    AddCharts();
  }

  std::string Text() const {
    std::string text = fmt::format(
        "digraph {} {{\n"
        "  graph [rankdir=LR, nodesep=0.3, ranksep=0.5, splines=true, fontname=\"{font}\", fontsize=10,\n"
        "         bgcolor=white, pad=0.2, labelloc=t, labeljust=l, label=<{}>]\n"
        "  node [shape=plain, fontname=\"{font}\", fontsize=10, fontcolor=\"{ink}\"]\n"
        "  edge [fontname=\"{font}\", fontsize=8]\n",
        QuoteDot(system_.root().name()), Title(), fmt::arg("font", kFont), fmt::arg("ink", kInk));
    for (std::size_t i = 0; i < islands_.size(); ++i) AppendIsland(i, text);
    for (const Node& node : nodes_) {
      if (!node.island) AppendNode(node, "  ", text);
    }
    for (const std::string& edge : edges_) text += edge;
    return text + "}\n";
  }

 private:
  enum class Side : std::uint8_t { kLeft, kRight };

  /// A port, an input or a variable at the border of a node.
  struct Cell {
    std::string label;
    std::string id;
    std::string text;   ///< shown when the mouse points at it
    std::string style;  ///< attributes of its TD
    std::string font;   ///< attributes of its FONT
  };
  struct Node {
    Component* component;
    std::optional<std::size_t> island;  ///< nothing: delays, constant sources, sources of several islands
    bool is_source = false;             ///< a function of time and parameters, evaluated wherever it is read
    std::array<std::vector<Cell>, 2> cells;  ///< by side
  };

  /// The component that is drawn for this one: operators are part of the component that they are in.
  const Component* Drawn(const Component& component) const {
    const Component* drawn = &component;
    while (drawn != nullptr && !node_of_.contains(drawn)) drawn = drawn->parent();
    return drawn;
  }
  std::size_t NodeOf(const Component* component) const { return node_of_.at(Drawn(*component)); }

  /// The end of an edge at the cell with this label, which is added where it is not there yet.
  std::string Anchor(std::size_t node, Side side, const Cell& cell) {
    std::vector<Cell>& cells = nodes_[node].cells[static_cast<std::size_t>(side)];
    auto it = std::ranges::find(cells, cell.label, &Cell::label);
    if (it == cells.end()) {
      cells.push_back(cell);
      if (!ids_.insert(cell.id).second) cells.back().id.clear();  // the same port on the other side has it
      it = cells.end() - 1;
    }
    const char letter = side == Side::kLeft ? 'w' : 'e';
    return fmt::format("{}:{}{}:{}", QuoteDot(nodes_[node].component->path()), letter, it - cells.begin(),
                       letter);
  }

  static Cell PortCell(const Component& owner, const PortDeclaration& port, bool is_connected) {
    Cell cell;
    cell.label = port.label.name;
    cell.id = owner.path() + '.' + cell.label;
    cell.text =
        fmt::format("{} ({}, {}): {}", cell.id, port.domain->name, ToText(port.role), port.label.text);
    const std::string_view color = is_connected ? port.domain->color : kFaint;
    const bool is_c = port.role == Role::kC;
    cell.style = fmt::format("BORDER=\"1\" COLOR=\"{}\" BGCOLOR=\"{}\" STYLE=\"{}\"", color,
                             is_c && is_connected ? color : "white", is_c ? "ROUNDED" : "SOLID");
    cell.font = fmt::format("COLOR=\"{}\"", is_c && is_connected ? "white" : color);
    return cell;
  }

  static Cell SignalCell(const Component& owner, const std::string& path) {
    const std::string above = owner.path();
    return {path.substr(std::min(path.size(), above.size() + 1)), path, path, "BORDER=\"0\"",
            fmt::format("COLOR=\"{}\"", kSignalColor)};
  }

  void AddConnections() {
    for (const Connection& connection : system_.connections()) {
      // Left to right is the order of the system file: authors follow the power.
      const PortRef* left = &connection.c;
      const PortRef* right = &connection.q;
      if (NodeOf(left->owner) > NodeOf(right->owner)) std::swap(left, right);
      const std::string from =
          Anchor(NodeOf(left->owner), Side::kRight, PortCell(*left->owner, *left->port, true));
      const std::string to =
          Anchor(NodeOf(right->owner), Side::kLeft, PortCell(*right->owner, *right->port, true));
      followers_[NodeOf(left->owner)].push_back(NodeOf(right->owner));
      connected_.insert({connection.c.port->port, connection.q.port->port});
      domains_.try_emplace(connection.c.port->domain->name, connection.c.port->domain);
      const std::string id = left->path + "--" + right->path;
      edges_.push_back(fmt::format(
          "  {} -> {} [id={}, tooltip={}, dir=none, penwidth=2.5, color=\"{}\"]\n", from, to, QuoteDot(id),
          QuoteDot(fmt::format("{} - {} ({})", left->path, right->path, connection.c.port->domain->name)),
          connection.c.port->domain->color));
    }
  }

  void AddUnconnectedPorts() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      for (const PortDeclaration& port : nodes_[i].component->declarations().ports) {
        if (connected_.contains(port.port)) continue;
        const bool is_right_free = nodes_[i].cells[1].size() < nodes_[i].cells[0].size();
        Anchor(i, is_right_free ? Side::kRight : Side::kLeft, PortCell(*nodes_[i].component, port, false));
      }
    }
  }

  /// Whether it may be a function of time and parameters, if what it reads is one.
  static bool IsFree(const Component& component) {
    const Declarations& all = component.declarations();
    return all.ports.empty() && !component.entry().is_tlm && !component.entry().stands_in_systems &&
           std::ranges::none_of(all.states,
                                [](const StateDeclaration& s) { return s.is_active && s.count > 0; });
  }

  /// Free components that read something that is no source are no sources either.
  void FindSources() {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (const Route* route : routes_) {
        Node& to = nodes_[NodeOf(route->to_owner)];
        const bool is_from_source =
            route->from.kind() == Item::Kind::kParameter || nodes_[NodeOf(&route->from.owner())].is_source;
        if (!to.is_source || is_from_source) continue;
        to.is_source = false;
        is_changed = true;
      }
    }
  }

  /// The islands that read a source, directly or through others; nothing for fixed-step (TLM) components
  /// steps.
  std::set<std::optional<std::size_t>> FindReadingIslands(std::size_t source) const {
    std::set<std::optional<std::size_t>> islands;
    std::set<std::size_t> seen{source};
    std::vector<std::size_t> open{source};
    while (!open.empty()) {
      const Component* from = nodes_[open.back()].component;
      open.pop_back();
      for (const Route* route : routes_) {
        if (Drawn(route->from.owner()) != from || IsHeld(*route)) continue;
        const std::size_t to = NodeOf(route->to_owner);
        if (!nodes_[to].is_source) {
          islands.insert(nodes_[to].island);
        } else if (seen.insert(to).second) {
          open.push_back(to);
        }
      }
    }
    return islands;
  }

  static bool IsTlm(const Component& component) {
    const auto* dynamic = dynamic_cast<const DynamicSimComponent*>(&component);
    return dynamic != nullptr && dynamic->GetSolverType() == SolverType::kTlm;
  }

  /// Whether it is sampled wherever it begins: it ends or begins at operators, or ends at a parameter.
  bool IsHeld(const Route& route) const {
    return route.hold == Hold::kStep || route.parameter || route.to->operators != nullptr ||
           !node_of_.contains(&route.from.owner()) || !node_of_.contains(route.to_owner);
  }

  bool IsSampled(const Route& route) const {
    if (IsHeld(route)) return true;
    if (route.from.kind() == Item::Kind::kParameter) return false;
    const Node& from = nodes_[NodeOf(&route.from.owner())];
    const Node& to = nodes_[NodeOf(route.to_owner)];
    if (from.is_source || (from.island && from.island == to.island)) return false;
    // Among fixed-step (TLM) components, signals are evaluated first and in their order.
    return !from.component->declarations().ports.empty() || !IsTlm(*from.component) || !IsTlm(*to.component);
  }

  /// Whether edges that shape the layout lead from one node to the other.
  bool IsReached(std::size_t from, std::size_t to) const {
    std::vector<bool> is_seen(nodes_.size());
    std::vector<std::size_t> open{from};
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      if (node == to) return true;
      if (is_seen[node]) continue;
      is_seen[node] = true;
      open.insert(open.end(), followers_[node].begin(), followers_[node].end());
    }
    return false;
  }

  /// Routes from left to right; where they go round, those that measure something are the ones that lead
  /// back.
  void AddRoutes() {
    std::vector<const Route*> routes = routes_;
    std::stable_partition(routes.begin(), routes.end(), [](const Route* route) {
      return route->from.owner().declarations().ports.empty();
    });
    for (const Route* route : routes) AddRoute(*route);
  }

  void AddRoute(const Route& route) {
    std::string to_path = route.to_path;
    if (route.to != nullptr && route.to->is_array) to_path += fmt::format("[{}]", route.element);
    const std::size_t from_node = NodeOf(&route.from.owner());
    const std::size_t to_node = NodeOf(route.to_owner);
    const bool leads_back = IsReached(to_node, from_node);
    if (!leads_back) followers_[from_node].push_back(to_node);
    const std::string from =
        Anchor(from_node, Side::kRight, SignalCell(*nodes_[from_node].component, route.from.path()));
    const std::string to = Anchor(to_node, Side::kLeft, SignalCell(*nodes_[to_node].component, to_path));
    const bool is_sampled = IsSampled(route);
    has_sampled_ |= is_sampled;
    edges_.push_back(fmt::format(
        "  {} -> {} [id={}, tooltip={}, color=\"{}\", penwidth=0.9, arrowsize=0.6{}{}]\n", from, to,
        QuoteDot(route.from.path() + "->" + to_path),
        QuoteDot(fmt::format("{} to {}{}", route.from.path(), to_path,
                             is_sampled ? ", sampled at communication points" : "")),
        kSignalColor, is_sampled ? ", style=dashed" : "", leads_back ? ", constraint=false" : ""));
  }

  /// What charts read and set.
  void AddCharts() {
    for (const ChartBinding* chart : SimulatorManager::Of(system_).charts().charts()) {
      if (chart->is_default()) continue;
      std::set<const Component*> read;
      std::set<const Component*> written;
      for (const ChartBinding::Signal& signal : chart->signals()) read.insert(&signal.item.owner());
      for (const ChartBinding::Write& write : chart->writes()) written.insert(&write.target.owner());
      for (const Node& node : nodes_) {
        if (node.component == &chart->node()) continue;
        if (read.contains(node.component)) AddChartEdge(*node.component, chart->node(), false);
        if (written.contains(node.component)) AddChartEdge(chart->node(), *node.component, true);
      }
    }
  }

  void AddChartEdge(const Component& from, const Component& to, bool is_set) {
    has_charts_ = true;
    edges_.push_back(
        fmt::format("  {} -> {} [id={}, tooltip={}, color=\"{}\", penwidth=0.9, arrowsize=0.6, style=dotted, "
                    "constraint=false]\n",
                    QuoteDot(from.path()), QuoteDot(to.path()), QuoteDot(from.path() + "=>" + to.path()),
                    QuoteDot(is_set ? fmt::format("{} sets {}", from.path(), to.path())
                                    : fmt::format("{} reads {}", to.path(), from.path())),
                    kSignalColor));
  }

  /// What colours and lines mean; empty where there are none.
  std::string Legend() const {
    std::string text;
    for (const auto& [name, domain] : domains_) {
      text += fmt::format("<FONT COLOR=\"{}\"><B>&#9473;&#9473;</B></FONT> {}&#160;&#160;&#160;",
                          domain->color, name);
    }
    if (!domains_.empty()) text += "filled: C port, open: Q port&#160;&#160;&#160;";
    if (!routes_.empty()) text += "&#8594; signal";
    if (has_sampled_) text += ", dashed: sampled at communication points";
    if (has_charts_) text += "&#160;&#160;&#160;dotted: read or set by a chart";
    return text;
  }

  std::string Title() const {
    std::string text = "<TABLE BORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"1\">";
    const auto add = [&](int size, const std::string& line) {
      if (line.empty()) return;  // Graphviz refuses a FONT without content
      text += fmt::format("<TR><TD ALIGN=\"LEFT\"><FONT POINT-SIZE=\"{}\">{}</FONT></TD></TR>", size, line);
    };
    add(13, "<B>" + EscapeHtml(system_.root().name()) + "</B>");
    add(9, Legend());
    return text + "</TABLE>";
  }

  void AppendIsland(std::size_t index, std::string& text) const {
    const Island& island = *islands_[index];
    std::string label = fmt::format("island {}: ", index + 1);
    label += island.states().size() == 0
                 ? "no states"
                 : Counted(island.states().size(), "state") + ", " + island.options().method;
    text += fmt::format(
        "  subgraph cluster_{0} {{\n"
        "    graph [id=\"island-{0}\", label={1}, style=\"filled,rounded\", fillcolor=\"{2}\", "
        "color=\"{3}\",\n"
        "           fontcolor=\"{4}\", fontsize=9, labeljust=l, margin=12]\n",
        index + 1, QuoteDot(label), kIslandColor, kIslandBorder, kFaint);
    for (const Node& node : nodes_) {
      if (node.island == index) AppendNode(node, "    ", text);
    }
    text += "  }\n";
  }

  /// Attributes of a TD for a text that is shown when the mouse points at it; Graphviz needs the target.
  static std::string Hint(std::string_view text) {
    return fmt::format("TARGET=\"_self\" TITLE=\"{}\"", EscapeHtml(text));
  }

  static void AppendCells(const std::vector<Cell>& cells, char letter, std::string& text) {
    if (cells.empty()) return;
    text += "<TD><TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"2\" CELLPADDING=\"2\">";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Cell& cell = cells[i];
      const std::string id = cell.id.empty() ? "" : fmt::format(" ID=\"{}\"", EscapeHtml(cell.id));
      text += fmt::format("<TR><TD PORT=\"{}{}\"{} {} {}><FONT POINT-SIZE=\"8\" {}>{}</FONT></TD></TR>",
                          letter, i, id, Hint(cell.text), cell.style, cell.font, EscapeHtml(cell.label));
    }
    text += "</TABLE></TD>";
  }

  static void AppendNode(const Node& node, std::string_view margin, std::string& text) {
    const Component& component = *node.component;
    const std::string path = component.path();
    const std::string above = path.substr(0, path.size() - component.name().size());
    const std::string scope =  // Graphviz refuses a FONT without content
        above.empty() ? "" : fmt::format("<FONT COLOR=\"{}\">{}</FONT>", kFaint, EscapeHtml(above));
    std::string model(component.model().name);
    if (component.level()) model.append(", ").append(component.LevelName(*component.level()));
    if (IsTlm(component)) model += ", Tlm";
    text += fmt::format("{}{} [id={}, label=<<TABLE BORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\"><TR>",
                        margin, QuoteDot(path), QuoteDot(path));
    AppendCells(node.cells[0], 'w', text);
    text += fmt::format(
        "<TD BORDER=\"1\" COLOR=\"{}\" BGCOLOR=\"white\" STYLE=\"ROUNDED\" CELLPADDING=\"7\" {}>"
        "{}<B>{}</B><BR/><FONT POINT-SIZE=\"8\" COLOR=\"{}\">{}</FONT></TD>",
        kInk, Hint(fmt::format("{} ({}): {}", path, model, component.model().text)), scope,
        EscapeHtml(component.name()), kFaint, EscapeHtml(model));
    AppendCells(node.cells[1], 'e', text);
    text += "</TR></TABLE>>]\n";
  }

  System& system_;
  const std::vector<std::unique_ptr<Island>>& islands_;
  std::vector<Node> nodes_;
  std::unordered_map<const Component*, std::size_t> node_of_;
  std::vector<const Route*> routes_;
  std::vector<std::string> edges_;
  std::vector<std::vector<std::size_t>> followers_;  ///< by node: those to the right of it
  std::set<std::string> ids_;
  std::set<const PortBase*> connected_;
  std::map<std::string_view, const Domain*> domains_;  ///< of the connections, by name
  bool has_sampled_ = false;
  bool has_charts_ = false;
};

/// The extension of `output` in lower case, or nothing after an error.
std::optional<std::string> FindFormat(const GraphOptions& options, std::ostream& err) {
  const std::filesystem::path& output = options.output;
  std::string extension = output.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool has_symbols = options.has_symbols || !options.changes_from.empty();
  if (has_symbols || !options.scene.empty()) {
    if (extension == ".svg") return "svg";
    Diagnostics diagnostics;
    diagnostics.Error({std::make_shared<const std::string>(output.string())}, "",
                      fmt::format("a drawing {} is an SVG; give it a name that ends in .svg",
                                  has_symbols ? "with symbols" : "of a mechanism"));
    PrintDiagnostics(diagnostics, err);
    return std::nullopt;
  }
  for (const std::string_view known : {".svg", ".png", ".pdf", ".dot"}) {
    if (extension == known) return extension.substr(1);
  }
  Diagnostics diagnostics;
  diagnostics.Error({std::make_shared<const std::string>(output.string())}, "",
                    extension.empty()
                        ? "a drawing needs a name that ends in .svg, .png, .pdf or .dot"
                        : fmt::format("{} is not a format of drawings; name it .svg, .png, .pdf or .dot",
                                      Quoted(extension)));
  PrintDiagnostics(diagnostics, err);
  return std::nullopt;
}

/// Nothing if it is empty or, after an error, no time.
std::optional<double> ReadTime(const std::string& text, Diagnostics& diagnostics) {
  if (text.empty()) return std::nullopt;
  const QuantityResult result = ParseQuantity(text, "s", UnitSystem());
  if (result.value) return result.value->si;
  diagnostics.Error({std::make_shared<const std::string>("--time")}, "", result.fault.ToText());
  return std::nullopt;
}

/// Symbols show start values; those need a consistent start, which a run would have to find too.
System& AtStart(Simulation& simulation) {
  try {
    simulation.Initialize();
  } catch (const SimulationFailure&) {  // then as the file has them
  }
  return simulation.system();
}

}  // namespace

std::string MakeDot(System& system) { return Drawing(system).Text(); }

int RunGraph(const GraphOptions& options, const Registry& registry, std::ostream& out, std::ostream& err) {
  const std::optional<std::string> format = FindFormat(options, err);
  const std::unique_ptr<Simulation> simulation = LoadSimulation(options.system, registry, {}, err);
  if (!format || simulation == nullptr) return kWrongInput;
  std::unique_ptr<Simulation> before;
  std::vector<SystemDifference> differences;
  Diagnostics diagnostics;
  if (!options.changes_from.empty()) {
    before = LoadSimulation(options.changes_from, registry, {}, err);
    if (before == nullptr) return kWrongInput;
    differences = CompareSystems({options.changes_from}, {options.system}, diagnostics);
  }
  const std::optional<double> time = ReadTime(options.time, diagnostics);
  CheckOutputPaths(std::vector<OutputPath>{{"-o " + options.output.string(), options.output}},
                   before == nullptr ? InputsOf(simulation->system())
                                     : InputsOf(simulation->system(), InputsOf(before->system())),
                   diagnostics);
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) return kWrongInput;
  try {
    std::string picture;
    if (!options.scene.empty()) {
      picture = DrawMechanism(*simulation, options.scene, options.view, time, diagnostics);
      PrintDiagnostics(diagnostics, err);
      if (diagnostics.has_errors()) return kWrongInput;
    } else if (before != nullptr) {
      picture = WithoutVariables(DrawChanges(AtStart(*simulation), AtStart(*before), differences));
    } else if (options.has_symbols) {
      picture = WithoutVariables(DrawSystem(AtStart(*simulation)));
    } else {
      const std::string graph = MakeDot(simulation->system());
      picture = *format == "dot" ? graph : DrawWithDot(graph, *format);
    }
    OutputFile file(options.output);
    file.Write(picture);
    file.Close();
  } catch (const std::exception& failure) {
    err << "error: " << Explain(failure) << '\n';
    return kRunFailed;
  }
  out << fmt::format("{}: {} in {}\n", options.output.string(),
                     Counted(FindSimulated(simulation->system()).size(), "component"),
                     Counted(simulation->manager().islands().size(), "island"));
  return kDone;
}

void AddGraphCommand(CLI::App& command, CommandContext& context) {
  const auto graph = std::make_shared<GraphOptions>();
  command.add_option("SYSTEM", graph->system, "System file (XML) or Hopsan model (.hmf)")->required();
  command.add_option("-o,--output", graph->output, "Picture (.svg, .png, .pdf or .dot)")
      ->type_name("FILE")
      ->required();
  command.add_flag("--symbols", graph->has_symbols,
                   "Draws with symbols as in ISO 1219-1 (.svg); positions as in the <Layout> of the file");
  command
      .add_option("--changes-from", graph->changes_from,
                  "Draws with symbols, and colours what differs from this earlier version of the system, as "
                  "the studio does: added, changed, removed")
      ->type_name("OLD.xml");
  CLI::Option* const scene = command.add_option(
      "--scene", graph->scene, "Draws the mechanism of components to scale instead (.svg): a path, or '*'");
  scene->type_name("GLOB")->excludes("--symbols")->excludes("--changes-from");
  command.add_option("--view", graph->view, "Direction of view: all, side, front or top")->needs(scene);
  command.add_option("--time", graph->time, "Runs to a time, e.g. '5 s', and draws the mechanism there")
      ->type_name("T")
      ->needs(scene);
  AddPluginOption(command, context);
  command.callback([&context, graph] {
    context.exit_code = context.LoadPlugins(graph->system)
                            ? RunGraph(*graph, context.registry, context.out, context.err)
                            : kWrongInput;
  });
}

}  // namespace davit
