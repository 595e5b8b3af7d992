#include <fmt/format.h>

#include "framework/nearest_name.h"
#include "framework/tree/component_pool.h"
#include "python/binding.h"
#include "python/models.h"
#include "python/system_handle.h"
#include "session/describe_component.h"
#include "session/describe_item.h"
#include "session/model_description.h"
#include "session/tree_item.h"
#include "simulator/charts/chart_set.h"

namespace davit {
namespace {

Component& FindComponentAt(System& system, const std::string& path) {
  if (path.empty()) return system.root();
  Fault fault;
  Component* const component = system.FindComponent(system.root(), path, &fault);
  if (component == nullptr) throw py::key_error(fault.ToText());
  return *component;
}

std::string OtherEnd(const Connection& connection, const PortBase* port) {
  return connection.c.port->port == port ? connection.q.path : connection.c.path;
}

/// Adds what the ports of a component are connected with.
void AddConnections(const System& system, const Component& component, const py::list& ports) {
  std::size_t number = 0;
  for (const PortDeclaration& port : component.declarations().ports) {
    py::list others;
    for (const Connection& connection : system.connections()) {
      if (connection.c.port->port == port.port || connection.q.port->port == port.port)
        others.append(OtherEnd(connection, port.port));
    }
    ports[number++]["connected"] = others;
  }
}

/// The chart of a component, or that it is: null without.
const ChartBinding* ChartOf(Simulation& simulation, const Component& component) {
  for (const ChartBinding* chart : simulation.manager().charts().charts()) {
    const bool is_its = chart->belongs_to_component() && &chart->scope() == &component;
    if (&chart->node() == &component || is_its) return chart;
  }
  return nullptr;
}

py::object ActiveStates(const SystemHandle& self, const std::string& path) {
  const auto use = self.EnterToRead("active_states");
  const ChartBinding* const chart = ChartOf(*use, FindComponentAt(use->system(), path));
  if (chart == nullptr) return py::none();
  constexpr std::string_view kPrefix = "state.";
  py::list active;
  for (const OutputDeclaration& output : chart->node().declarations().outputs) {
    if (!output.label.name.starts_with(kPrefix) || *output.value == 0) continue;
    const std::string_view name = output.label.name.substr(kPrefix.size());
    active.append(py::str(name.data(), name.size()));
  }
  return active;
}

py::dict ComponentDict(const SystemHandle& self, const std::string& path) {
  const auto use = self.EnterToRead("components");
  System& system = use->system();
  Component& component = FindComponentAt(system, path);
  py::dict dict = ToDict(Describe<Component>(ComponentFields(), component));
  AddConnections(system, component, dict["ports"]);
  py::list children;
  for (const Component* child : component.children()) children.append(child->path());
  dict["children"] = children;
  py::list items;
  for (const Item& item : system.ItemsOf(component)) {
    py::dict about = ToDict(Describe<Item>(ItemFields(), item));
    about["path"] = item.path();
    items.append(about);
  }
  dict["items"] = items;
  dict["has_chart"] = ChartOf(*use, component) != nullptr;
  const auto& file = component.location().file;
  dict["file"] = file == nullptr ? std::string() : *file;
  dict["line"] = component.location().line;
  return dict;
}

py::list ComponentPaths(const SystemHandle& self) {
  py::list paths;
  const auto use = self.EnterToRead("components");
  for (const Component* component : use->system().components()) paths.append(component->path());
  return paths;
}

/// Of all components: what a simulation reads by name.
std::vector<std::string> ItemPaths(const SystemHandle& self) {
  const auto use = self.EnterToRead("components");
  std::vector<std::string> paths;
  for (auto* component : use->system().components()) {
    for (const Item& item : use->system().ItemsOf(*component)) {
      Fault ignored;  // of start values that are no variables
      if (TreeItem::Find(use->system(), item.path(), &ignored)) paths.push_back(item.path());
    }
  }
  return paths;
}

py::dict ModelDict(const ModelEntry& entry) {
  const ModelDescription description = DescribeModel(entry);
  ComponentPool pool;
  py::dict dict;
  dict["name"] = description.name;
  dict["text"] = description.text;
  dict["equations"] = description.equations;
  dict["example"] = description.example;
  py::dict tables;
  for (const DescriptionTable& table : description.tables) {
    py::list rows;
    for (const std::vector<std::string>& row : table.rows) {
      py::dict cells;
      for (std::size_t i = 0; i < row.size(); ++i) cells[py::str(table.headers[i])] = row[i];
      rows.append(cells);
    }
    tables[py::str(table.title)] = rows;
  }
  dict["tables"] = tables;
  const py::dict about = ToDict(Describe<Component>(ModelFields(), pool.Create(entry)));
  dict["levels"] = about["levels"];
  dict["about"] = about;
  return dict;
}

/// Names and texts of all models that stand in systems.
py::list ListModels(const std::vector<std::string>& plugins) {
  py::list models;
  for (const ModelEntry* entry : ModelsWith(plugins)->entries()) {
    if (IsPart(*entry->info)) continue;
    models.append(py::make_tuple(entry->info->name, entry->info->text));
  }
  return models;
}

py::dict DescribeOne(const std::string& name, const std::vector<std::string>& plugins) {
  const std::shared_ptr<const Registry> models = ModelsWith(plugins);
  const ModelEntry* const entry = models->Find(name);
  if (entry == nullptr)
    RaiseInputError(
        fmt::format("no model {}; {}", Quoted(name), SuggestName("there are", name, models->names())));
  return ModelDict(*entry);
}

}  // namespace

py::dict ToDict(const DescribedObject& object) {
  py::dict dict;
  for (const auto& [name, value] : object.fields) {
    const auto cast = [](const auto& one) -> py::object {
      using One = std::decay_t<decltype(one)>;
      if constexpr (std::is_same_v<One, std::nullptr_t>) {
        return py::none();
      } else if constexpr (std::is_same_v<One, DescribedList>) {
        py::list list;
        for (const DescribedObject& inner : one) list.append(ToDict(inner));
        return list;
      } else {
        return py::cast(one);
      }
    };
    dict[py::str(name.data(), name.size())] = std::visit(cast, value);
  }
  return dict;
}

void BindTree(py::module_& module) {
  module.def("component_paths", &ComponentPaths);
  module.def("describe_component", &ComponentDict);
  module.def("item_paths", &ItemPaths);
  module.def("active_states", &ActiveStates);
  module.def("list_models", &ListModels);
  module.def("describe_model", &DescribeOne);
}

}  // namespace davit
