#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "components/user/equations.h"
#include "expressions/expression_compiler.h"
#include "expressions/symbol_table.h"
#include "framework/arithmetic.h"
#include "framework/diagnostics.h"
#include "framework/units/unit_system.h"

namespace davit {

/// Makes the items and equations of an EquationComponent from the elements of the system file, and says what
/// is wrong with them. Used once.
class EquationReader {
 public:
  EquationReader(EquationComponent& component, const UnitSystem& units, const Registry& registry,
                 Diagnostics& diagnostics);
  ~EquationReader();
  EquationReader(const EquationReader&) = delete;
  EquationReader& operator=(const EquationReader&) = delete;

  /// Nothing is evaluated later where there was a fault.
  void Read();

 private:
  using Equations = EquationComponent::Equations;
  using Phase = Equations::Phase;
  using Variable = std::uint32_t;  ///< of the program
  using Attribute = ItemElement::Attribute;
  using BondMember = Equations::BondMember;

  struct Field;

  /// What a name refers to.
  struct Source {
    enum class Kind : std::uint8_t { kParameter, kInput, kState, kHeld, kBond, kDefined };
    Kind kind = Kind::kDefined;
    std::size_t index =
        0;  ///< of the list of its kind, of a state: its number; of kDefined: into definitions_
    PortBase* port = nullptr;
    BondMember member = nullptr;
    StateSlot* slot = nullptr;
  };
  /// A state with many elements.
  struct Array {
    std::string name;
    std::uint32_t size = 0;
    std::string index;                  ///< what its expressions call the number of an element
    const Attribute* before = nullptr;  ///< what is read before the first element; null: nothing may be
    const Attribute* after = nullptr;
    bool is_faulty = false;  ///< one fault of an expression is enough
  };
  /// A value that an expression gives.
  struct Definition {
    std::string name;
    const Attribute* attribute = nullptr;  ///< null: of davit's own
    std::string text;
    Variable variable = 0;
    CodeRange range;
    std::vector<Variable> reads;
    bool reads_time = false;
    bool is_wanted = true;  ///< else evaluated only if something reads it
    Phase wanted = Equations::kLate;
    Phase phase = Equations::kLate;
    Output* output = nullptr;
    std::size_t output_declaration = 0;
    StateSlot* derivative = nullptr;
    const void* reader = nullptr;  ///< the id of the state or array of the derivative
    Array* array = nullptr;        ///< of a derivative of an element
    std::uint32_t element = 0;
    PortBase* port = nullptr;
    BondMember member = nullptr;
  };
  struct Assignment {
    const ItemElement* item;
    std::string name;
    CodeRange range;
  };
  struct Reaction {
    std::vector<Assignment> assignments;
  };
  struct GuardText {
    const ItemElement* item;
    std::string name;
    Guard::Direction direction = Guard::Direction::kBoth;
    CodeRange value;
    Reaction reaction, rest;
  };

  void ReadItem(const ItemElement& item);
  void ReadParameter(const ItemElement& item);
  void ReadInput(const ItemElement& item);
  void ReadState(const ItemElement& item);
  void ReadHeld(const ItemElement& item);

  // equation_array.cc
  void ReadArray(const ItemElement& item);
  /// `text` with the elements of arrays by their numbers, u[i-1] as u[3]; nothing after an error. `element`:
  /// of a derivative of an array; `depth`: of what stands for elements that do not exist.
  std::optional<std::string> WithElements(std::string_view text, const SourceLocation& place,
                                          std::string_view what, const NamedNumber* element, int depth = 0);
  std::string ArrayFault(const Array& array, std::int64_t element) const;

  // equation_reach.cc
  /// What each derivative, output and port reads, as models in C++ declare it.
  void DeclareReaches();
  /// The variables of states, inputs and ports that a definition reads, also through others.
  void FindAllReads(std::size_t definition, std::vector<Variable>& reads);
  void ReadOutput(const ItemElement& item);
  void ReadPort(const ItemElement& item);
  void ReadGuard(const ItemElement& item);
  static std::vector<Field> FieldsOf(const Domain& domain);
  /// Null, and a fault, if there is none of that name.
  const Domain* FindDomain(const Attribute& attribute);
  void AddField(const Field& field, const ItemElement& item, const std::string& port_name, Role role,
                PortBase& port);

  // equation_compile.cc
  void CompileDefinition(Definition& definition);
  void CompileGuard(GuardText& guard);
  void CompileReaction(Reaction& reaction);
  /// `target`: what the value becomes; null: any number.
  CodeRange Compile(std::string_view text, const SourceLocation& place, std::string_view what,
                    const Variable* target = nullptr, const NamedNumber* element = nullptr);
  std::vector<Variable> ReadsOf(CodeRange range) const;
  bool ReadsTime(CodeRange range) const;

  // equation_order.cc
  /// Puts the definitions into `order_`, each behind those it reads. False, and a fault, where one reads
  /// itself.
  bool Sort();
  /// Each reads the next one, the last the first.
  void ReportCircle(const std::vector<std::size_t>& circle);
  void FindPhases();
  void Need(std::size_t definition, Phase phase);
  void CheckConstants();

  // equation_build.cc
  void Build();
  void BuildSteps(RegisterCode& code);
  void BuildGuards(RegisterCode& code);
  /// The state that a derivative is, as in x' = v: it needs no code.
  std::optional<Variable> AliasOf(const Definition& definition) const;
  void AddReads(Equations::Step& step, const std::set<Variable>& reads) const;
  Equations::Place PlaceOf(Variable variable) const;

  // equation_attributes.cc
  /// The attribute `name` of the item where it may declare an item of that name; empty after a fault.
  std::string TakeName(const ItemElement& item);
  bool CheckAttributes(const ItemElement& item, const std::vector<std::string>& allowed);
  const Attribute* Require(const ItemElement& item, std::string_view name);
  Text UnitOf(const ItemElement& item);
  /// Of an item that any unit fits: nothing.
  std::optional<Dimension> DimensionOf(std::string_view unit) const;
  /// The same of its derivative.
  std::optional<Dimension> RateOf(std::string_view unit) const;
  Text TextOf(const ItemElement& item);
  double Number(const ItemElement& item, std::string_view name, std::string_view unit, double otherwise);
  /// A copy that lives as long as the component.
  Text Keep(std::string_view text);
  Variable AddVariable(const std::string& name, Source source,
                       const std::optional<Dimension>& dimension = {});
  Definition& Define(const std::string& name, const Attribute* attribute, std::string text,
                     const std::optional<Dimension>& dimension);
  void Error(const SourceLocation& place, std::string_view text);

  EquationComponent& component_;
  Equations& equations_;
  const UnitSystem& units_;
  const Registry& registry_;
  Diagnostics& diagnostics_;
  std::size_t faults_ = 0;

  class Names;
  SymbolTable symbols_;
  ExpressionProgram program_;
  std::unique_ptr<Names> names_;
  ExpressionCompiler compiler_;

  std::set<std::string, std::less<>> used_names_;
  std::vector<Source> sources_;  ///< by variable
  std::vector<Definition> definitions_;
  std::deque<Array> arrays_;
  std::unordered_map<std::string_view, Array*> array_of_;  ///< by name
  std::size_t state_count_ = 0;
  std::size_t expanded_bytes_ = 0;    ///< of the expressions of elements
  std::vector<std::size_t> visited_;  ///< by definition: the last search that came there
  std::size_t searches_ = 0;
  std::size_t visits_ = 0;
  std::vector<std::size_t> order_;
  std::set<Variable> is_read_;  ///< by some expression that is evaluated
  std::vector<GuardText> guards_;
};

}  // namespace davit
