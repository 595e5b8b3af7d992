#include "tests/source/include_rules.h"

namespace davit {

std::span<const Layer> Layers() {
  static const std::vector<Layer> kLayers{
      {"framework", {}},
      {"expressions", {"framework"}},
      {"statecharts", {"expressions", "framework"}},
      {"simulator", {"statecharts", "expressions", "framework"}},
      // Charts come to components through simulator/charts.
      {"components", {"simulator", "expressions", "framework"}},
      {"results", {"framework"}},
      {"session", {"simulator", "results", "statecharts", "expressions", "framework"}},
      {"drawing", {"session", "simulator", "results", "statecharts", "framework"}},
      {"include/davit",
       {"session", "components", "simulator", "results", "statecharts", "expressions", "framework"}},
      {"app",
       {"drawing", "session", "components", "simulator", "results", "statecharts", "expressions",
        "framework"}},
      {"app/heap", {}},

      {"benchmarks",
       {"include/davit", "session", "components", "simulator", "results", "statecharts", "expressions",
        "framework", "app/heap", "tests/support"}},
      {"tests",
       {"include/davit", "session", "components", "simulator", "results", "statecharts", "expressions",
        "framework", "app/heap"}},
      {"tests/expressions", {"expressions", "framework", "app/heap"}},
      {"tests/statecharts", {"statecharts", "expressions", "framework", "app/heap"}},
      {"tests/results", {"results", "framework", "app/heap", "tests/support"}},
      {"tests/components/user",
       {"components", "simulator", "results", "expressions", "framework", "app/heap", "tests/components",
        "tests/support"}},
      {"tests/drawing",
       {"drawing", "session", "components", "simulator", "results", "statecharts", "framework",
        "tests/support"}},
      {"tests/app",
       {"app", "drawing", "session", "components", "simulator", "results", "statecharts", "expressions",
        "framework", "tests/support"}},
      {"tests/extending", {"app", "tests/support"}},
  };
  return kLayers;
}

std::span<const LibraryRule> LibraryRules() {
  static const std::vector<LibraryRule> kRules{
      {"Boost.Odeint",
       {"boost/"},
       {"simulator/solvers/odeint_integrators.cc", "simulator/solvers/vector_algebra.h"}},
      {"SUNDIALS IDA",
       {"ida/", "nvector/", "sundials/", "sunlinsol/", "sunmatrix/", "sunnonlinsol/"},
       {"simulator/solvers/ida_integrator.cc"}},
      {"Eigen", {"Eigen/"}, {"simulator", "components"}},
      {"UDUNITS", {"udunits2.h"}, {"framework/units/unit_system.cc"}},
      {"spdlog", {"spdlog/"}, {"framework/run_log.cc"}},
      {"TinyXML-2", {"tinyxml2.h"}, {"framework/xml", "statecharts", "session/system_builder.cc"}},
      {"Duktape", {"duktape.h", "duk_config.h"}, {"statecharts/duktape_heap.h"}},
      {"HDF5", {"hdf5.h", "H5"}, {"results/hdf5_handle.h"}},
      {"matio", {"matio.h"}, {"results/load_mat.cc"}},
      {"CLI11", {"CLI/"}, {"app"}},
      {"nlohmann_json", {"nlohmann/"}, {"app", "drawing"}},
  };
  return kRules;
}

std::span<const SubFolders> SubFolderOrders() {
  static const std::vector<SubFolders> kOrders{
      {"framework", {"units", "domains", "tree", "xml"}},
      {"simulator", {"building_blocks", "solvers", "events", "network", "requests", "charts"}},
      {"components",
       {"user", "signal", "operators", "lumped", "electrical", "thermal", "mechanical", "hydraulic",
        "crane"}},
      {"components/hydraulic", {"laws"}},
      {"drawing", {"symbols"}},
      {"app", {"heap"}},
  };
  return kOrders;
}

std::span<const CircleException> CircleExceptions() {
  static const std::vector<CircleException> kExceptions{
      {"simulator/charts/statechart.cc", "simulator/simulator_manager.h",
       "a <Statechart> component registers itself with the ChartSet of the run, which the manager owns"},
  };
  return kExceptions;
}

}  // namespace davit
