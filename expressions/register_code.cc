#include "expressions/register_code.h"

#include <algorithm>
#include <map>
#include <set>

namespace davit {

bool RegisterCode::CanHold(const ExpressionProgram& program, CodeRange range) {
  const auto begin = program.code.begin() + range.begin;
  const auto end = program.code.begin() + range.end;
  return std::none_of(begin, end, [](const ExpressionInstruction& code) {
    switch (code.op) {
      case ExpressionOp::kIn:
      case ExpressionOp::kTimeIn:
      case ExpressionOp::kEventName:
      case ExpressionOp::kEventValue:
      case ExpressionOp::kEventField:
      case ExpressionOp::kRising:
      case ExpressionOp::kFalling:
      case ExpressionOp::kChanged: return true;
      default: return false;
    }
  });
}

RegisterCode::RegisterCode(const ExpressionProgram& program)
    : functions_(kExpressionFunctions.data()),
      time_place_(static_cast<std::uint32_t>(program.memory_size())),
      first_result_(time_place_ + 1),
      memory_size_(first_result_ + program.stack_size) {}

/// Goes once through stack code. The stack holds places: an operand that lies in the memory is not moved.
class RegisterCode::Translation {
 public:
  Translation(RegisterCode& to, const ExpressionProgram& program, CodeRange range)
      : to_(to), program_(program), range_(range), begin_(to.end()) {
    for (std::uint32_t at = range.begin; at < range.end; ++at) {
      if (IsJump(program.code[at].op)) landings_.insert(program.code[at].index);
    }
  }

  void Run(std::uint32_t target) {
    for (std::uint32_t at = range_.begin; at < range_.end; ++at) {
      Land(at);
      Translate(program_.code[at]);
    }
    Land(range_.end);
    const std::uint32_t last = stack_.back();
    // The last operation may write to the target itself, unless a jump leads behind it.
    const bool is_single = !landings_.contains(range_.end);
    if (is_single && last >= to_.first_result_ && !to_.code_.empty() && to_.code_.back().to == last) {
      to_.code_.back().to = target;
    } else {
      to_.code_.push_back({Op::kCopy, target, last});
    }
    for (const auto& [operation, landing] : jumps_) to_.code_[operation].third = places_[landing];
  }

 private:
  static bool IsJump(ExpressionOp op) {
    return op == ExpressionOp::kAndJump || op == ExpressionOp::kOrJump || op == ExpressionOp::kJumpUnless ||
           op == ExpressionOp::kJump;
  }

  void Land(std::uint32_t at) {
    if (!landings_.contains(at)) return;
    Settle();
    places_[at] = to_.end();
    barrier_ = to_.end();
  }

  /// Where paths part or meet, every value lies in the place of its depth.
  void Settle() {
    for (std::size_t i = 0; i < stack_.size(); ++i) {
      const std::uint32_t place = Place(i);
      if (stack_[i] != place) to_.code_.push_back({Op::kCopy, place, stack_[i]});
      stack_[i] = place;
    }
  }

  std::uint32_t Place(std::size_t depth) const {
    return to_.first_result_ + static_cast<std::uint32_t>(depth);
  }
  std::uint32_t Pop() {
    const std::uint32_t place = stack_.back();
    stack_.pop_back();
    return place;
  }
  void Emit(Op op, std::uint32_t left, std::uint32_t right = 0, std::uint32_t third = 0) {
    const std::uint32_t to = Place(stack_.size());
    const bool is_behind_last = to_.end() != barrier_ && to_.end() > begin_ && left >= to_.first_result_ &&
                                to_.code_.back().to == left;
    if (is_behind_last && JoinProducts(op, right, third)) return;
    if (is_behind_last) op = AfterLast(op);
    to_.code_.push_back({op, to, left, right, third});
    stack_.push_back(to);
  }
  /// Two products for one sum, one behind the other.
  bool JoinProducts(Op op, std::uint32_t right, std::uint32_t third) {
    Operation& first = to_.code_.back();
    const bool is_joinable = (first.op == Op::kAddProduct || first.op == Op::kSubtractProduct) &&
                             (op == Op::kAddProduct || op == Op::kSubtractProduct);
    if (!is_joinable || right == first.to || third == first.to) return false;
    const bool adds = op == Op::kAddProduct;
    first.op = first.op == Op::kAddProduct ? (adds ? Op::kAddAddProduct : Op::kAddSubtractProduct)
                                           : (adds ? Op::kSubtractAddProduct : Op::kSubtractSubtractProduct);
    first.fourth = right;
    first.fifth = third;
    stack_.push_back(first.to);
    return true;
  }
  static Op AfterLast(Op op) {
    switch (op) {
      case Op::kAdd: return Op::kLastAdd;
      case Op::kSubtract: return Op::kLastSubtract;
      case Op::kMultiply: return Op::kLastMultiply;
      case Op::kDivide: return Op::kLastDivide;
      case Op::kAddProduct: return Op::kLastAddProduct;
      case Op::kSubtractProduct: return Op::kLastSubtractProduct;
      default: return op;
    }
  }
  void EmitJump(Op op, std::uint32_t landing) {
    jumps_.emplace_back(to_.code_.size(), landing);
    to_.code_.push_back({op, 0, stack_.empty() ? 0 : stack_.back()});
    barrier_ = to_.end();
  }

  /// Joins a product that was computed last to the sum it is for. Both are rounded as before.
  bool Fuse(Op op, std::uint32_t left, std::uint32_t right) {
    if (to_.end() == barrier_ || to_.end() == begin_) return false;
    const Operation product = to_.code_.back();
    if (product.op != Op::kMultiply || product.to < to_.first_result_) return false;
    const bool is_right = product.to == right && right != left;
    const bool is_left = op == Op::kAdd && product.to == left && right != left;
    if (!is_right && !is_left) return false;
    to_.code_.pop_back();
    Emit(op == Op::kAdd ? Op::kAddProduct : Op::kSubtractProduct, is_right ? left : right, product.left,
         product.right);
    return true;
  }

  void Binary(const ExpressionInstruction& code, Op op) {
    const std::uint32_t right = code.right == ExpressionInstruction::kOnStack ? Pop() : code.right;
    const std::uint32_t left = code.left == ExpressionInstruction::kOnStack ? Pop() : code.left;
    if ((op == Op::kAdd || op == Op::kSubtract) && Fuse(op, left, right)) return;
    Emit(op, left, right, code.index);
  }
  void Unary(Op op, std::uint32_t index = 0) { Emit(op, Pop(), 0, index); }

  void Translate(const ExpressionInstruction& code) {
    switch (code.op) {
      case ExpressionOp::kPush: stack_.push_back(code.left); break;
      case ExpressionOp::kTime: stack_.push_back(to_.time_place_); break;
      case ExpressionOp::kAdd: Binary(code, Op::kAdd); break;
      case ExpressionOp::kSubtract: Binary(code, Op::kSubtract); break;
      case ExpressionOp::kMultiply: Binary(code, Op::kMultiply); break;
      case ExpressionOp::kDivide: Binary(code, Op::kDivide); break;
      case ExpressionOp::kModulo: Binary(code, Op::kModulo); break;
      case ExpressionOp::kEqual: Binary(code, Op::kEqual); break;
      case ExpressionOp::kNotEqual: Binary(code, Op::kNotEqual); break;
      case ExpressionOp::kLess: Binary(code, Op::kLess); break;
      case ExpressionOp::kLessEqual: Binary(code, Op::kLessEqual); break;
      case ExpressionOp::kGreater: Binary(code, Op::kGreater); break;
      case ExpressionOp::kGreaterEqual: Binary(code, Op::kGreaterEqual); break;
      case ExpressionOp::kCall2: Binary(code, Op::kCall2); break;
      case ExpressionOp::kCall1: Unary(Op::kCall1, code.index); break;
      case ExpressionOp::kNegate: Unary(Op::kNegate); break;
      case ExpressionOp::kNot: Unary(Op::kNot); break;
      case ExpressionOp::kAndJump:
      case ExpressionOp::kOrJump:
        Settle();
        EmitJump(code.op == ExpressionOp::kAndJump ? Op::kJumpIfZero : Op::kJumpUnlessZero, code.index);
        Pop();
        break;
      case ExpressionOp::kJumpUnless:
        Settle();
        EmitJump(Op::kJumpIfZero, code.index);
        Pop();
        break;
      case ExpressionOp::kJump:
        Settle();
        EmitJump(Op::kJump, code.index);
        Pop();  // the other branch begins with the stack as it was before this one
        break;
      default: break;  // CanHold
    }
  }

  RegisterCode& to_;
  const ExpressionProgram& program_;
  CodeRange range_;
  std::uint32_t begin_;
  std::set<std::uint32_t> landings_;
  std::map<std::uint32_t, std::uint32_t> places_;             // of the landings
  std::vector<std::pair<std::size_t, std::uint32_t>> jumps_;  // operation, landing
  std::vector<std::uint32_t> stack_;
  std::uint32_t barrier_ = UINT32_MAX;  // code before it may be jumped over
};

void RegisterCode::Add(const ExpressionProgram& program, CodeRange range, std::uint32_t target) {
  Translation(*this, program, range).Run(target);
}

std::size_t RegisterCode::hash() const {
  std::size_t hash = memory_size_;
  const auto mix = [&hash](std::uint32_t value) { hash = 31 * hash + value; };
  for (const Operation& operation : code_) {
    mix(static_cast<std::uint32_t>(operation.op));
    for (const std::uint32_t value :
         {operation.to, operation.left, operation.right, operation.third, operation.fourth, operation.fifth})
      mix(value);
  }
  return hash;
}

}  // namespace davit
