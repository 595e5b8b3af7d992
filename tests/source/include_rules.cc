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
      {"hopsan", {"session", "simulator", "framework"}},
      {"io", {"session", "simulator", "framework"}},
      {"server", {"session", "simulator", "results", "statecharts", "framework"}},
      {"studio",
       {"server", "drawing", "analysis", "proof", "session", "simulator", "results", "statecharts",
        "expressions", "framework"}},
      {"fmi", {"session", "results", "simulator", "statecharts", "framework"}},
      {"analysis", {"session", "results", "simulator", "statecharts", "expressions", "framework"}},
      {"proof", {"session", "results", "simulator", "statecharts", "expressions", "framework"}},
      {"python",
       {"analysis", "fmi", "io", "session", "components", "simulator", "results", "statecharts",
        "expressions", "framework"}},
      // Inside an FMU: what a program has, and nothing of the exporter.
      {"fmi/runtime",
       {"fmi/abi", "fmi/manifest", "fmi/ports", "components", "session", "results", "simulator",
        "framework"}},
      {"include/davit",
       {"session", "components", "simulator", "results", "statecharts", "expressions", "framework"}},
      {"app",
       {"analysis", "proof", "fmi", "studio", "server", "drawing", "hopsan", "io", "session", "components",
        "simulator", "results", "statecharts", "expressions", "framework"}},
      {"app/heap", {}},

      {"benchmarks",
       {"include/davit", "analysis", "fmi", "io", "studio", "session", "components", "simulator", "results",
        "statecharts", "expressions", "framework", "app/heap", "tests/components", "tests/partners",
        "tests/support"}},
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
      {"tests/fmi",
       {"fmi", "components", "session", "results", "simulator", "statecharts", "framework", "tests/support"}},
      {"tests/fmus", {"fmi/abi"}},
      {"tests/hopsan",
       {"hopsan", "components", "session", "results", "simulator", "framework", "tests/support"}},
      {"tests/io",
       {"io", "session", "components", "simulator", "results", "statecharts", "framework", "tests/support"}},
      {"tests/masters", {"fmi/abi"}},
      {"tests/server",
       {"server", "session", "components", "simulator", "results", "statecharts", "framework",
        "tests/support"}},
      {"tests/studio",
       {"studio", "server", "drawing", "analysis", "proof", "session", "components", "simulator", "results",
        "statecharts", "expressions", "framework", "tests/support"}},
      {"tests/fuzz",
       {"fmi", "server", "hopsan", "io", "session", "components", "simulator", "statecharts", "expressions",
        "framework", "tests/server"}},
      {"tests/analysis",
       {"analysis", "session", "components", "results", "simulator", "expressions", "framework",
        "tests/components", "tests/support"}},
      {"tests/proof",
       {"proof", "session", "components", "results", "simulator", "statecharts", "expressions", "framework",
        "tests/support"}},
      {"tests/app",
       {"app", "analysis", "proof", "drawing", "io", "session", "components", "simulator", "results",
        "statecharts", "expressions", "framework", "tests/support"}},
      {"tests/extending", {"app", "tests/support"}},
      {"tests/partners", {"components", "tests/components"}},
      {"tests/multibody", {"components", "tests/components", "tests/partners"}},
  };
  return kLayers;
}

std::span<const LibraryRule> LibraryRules() {
  static const std::vector<LibraryRule> kRules{
      {"Boost (Odeint; Asio and Beast, also to inflate; Sobol sequence; Student's distribution; B-splines; "
       "roots; UTF-16)",
       {"boost/"},
       {"simulator/solvers/odeint_integrators.cc", "simulator/solvers/vector_algebra.h", "server/net",
        "analysis/study/sampling.cc", "analysis/study/curve_fit.cc", "components/marine/recorded_motion.h",
        "components/hydraulic/laws/solve_opening.h", "components/marine/laws/mat_array.cc",
        "studio/shared_text.cc"}},
      {"OpenSSL", {"openssl/"}, {"server/authentication.cc", "fmi/import/fmu_cache.cc"}},
      {"Protocol Buffers", {"google/", "studio_api.pb.h"}, {"server", "tests/server"}},
      {"SUNDIALS IDA",
       {"ida/", "nvector/", "sundials/", "sunlinsol/", "sunmatrix/", "sunnonlinsol/"},
       {"simulator/solvers/ida_integrator.cc"}},
      {"Eigen", {"Eigen/", "unsupported/Eigen/"}, {"simulator", "components", "analysis", "drawing"}},
      {"Simbody", {"Simbody.h"}, {"tests/partners/simbody_tree.cc"}},
      {"DART", {"dart/"}, {"tests/partners/dart_tree.cc"}},
      {"NLopt", {"nlopt.h"}, {"analysis/study/local_search.cc"}},
      {"UDUNITS", {"udunits2.h"}, {"framework/units/unit_library.cc"}},
      {"spdlog", {"spdlog/"}, {"framework/run_log.cc", "fmi/runtime/spdlog_library.cc"}},
      {"TinyXML-2",
       {"tinyxml2.h"},
       {"framework/xml", "statecharts", "fmi", "analysis/studies/study_file.cc", "proof/bench_file.cc"}},
      {"Duktape", {"duktape.h", "duk_config.h"}, {"statecharts/duktape_heap.h"}},
      {"HDF5", {"hdf5.h", "H5"}, {"results/hdf5_handle.h"}},
      {"matio", {"matio.h"}, {"results/load_mat.cc", "analysis/linear/linear_model_mat.cc"}},
      {"libzip", {"zip.h"}, {"fmi/zip_reader.cc", "fmi/zip_writer.cc"}},
      {"zlib", {"zlib.h"}, {"fmi/zip_reader.cc", "fmi/png_writer.cc", "tests/fmi/zip_reader_test.cc"}},
      {"pybind11", {"pybind11/"}, {"python"}},
      {"libmosquitto", {"mosquitto.h", "mqtt_protocol.h"}, {"io/net/mqtt_connection.cc"}},
      {"MPI", {"mpi.h"}, {"app/mpi"}},
      {"METIS", {"metis.h"}, {"app/mpi"}},
      {"CLI11", {"CLI/"}, {"app"}},
      {"nlohmann_json",
       {"nlohmann/"},
       {"app", "drawing", "server", "studio", "io/mqtt_payload.cc", "analysis/studies/study_summary.cc",
        "analysis/studies/linear_model_json.cc", "proof/coverage_file.cc"}},
  };
  return kRules;
}

std::span<const SubFolders> SubFolderOrders() {
  static const std::vector<SubFolders> kOrders{
      {"framework", {"library", "units", "syntax", "domains", "tree", "xml"}},
      {"simulator",
       {"building_blocks", "solvers", "events", "passes", "islands", "checks", "network", "requests",
        "charts", "run", "parts", "energy"}},
      {"components",
       {"user", "signal", "operators", "lumped", "electrical", "thermal", "mechanical", "hydraulic",
        "pneumatic", "marine", "mechanism"}},
      {"components/hydraulic", {"laws"}},
      {"components/pneumatic", {"laws"}},
      {"components/marine", {"laws"}},
      {"components/mechanism", {"dynamics"}},
      {"drawing", {"symbols"}},
      {"hopsan", {"laws", "types", "import", "run"}},
      {"io", {"net"}},
      {"server", {"net"}},
      {"fmi", {"abi", "manifest", "ports", "import", "ssp", "host", "runtime"}},
      {"analysis",
       {"spectrum", "energy", "linear", "frequency", "study", "faults", "levels", "sensitivity", "studies"}},
      {"app",
       {"heap", "mpi", "drawing", "live", "studio", "console", "studies", "proof", "fmi", "hopsan", "io",
        "whole", "absent"}},
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
