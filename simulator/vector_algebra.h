#pragma once

#include <algorithm>
#include <boost/numeric/odeint/algebra/default_operations.hpp>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace davit {

/// How odeint's steppers walk through their state vectors: an algebra in odeint's sense for
/// `std::vector<double>`.
///
/// Linear combinations, which is nearly all they do, take four elements at a time; each element is computed
/// by the same operations in the same order as by odeint's own algebra, so results are the same bit for bit.
/// (An island of 1,000 mass-spring-dampers: the algebra takes half the time.)
class VectorAlgebra {
 public:
  using State = std::vector<double>;

  static void for_each1(auto& s1, auto operation) { Walk(operation, s1); }
  static void for_each2(auto& s1, auto& s2, auto operation) { Walk(operation, s1, s2); }
  static void for_each3(auto& s1, auto& s2, auto& s3, auto operation) { Walk(operation, s1, s2, s3); }
  static void for_each4(auto& s1, auto& s2, auto& s3, auto& s4, auto operation) {
    Walk(operation, s1, s2, s3, s4);
  }
  static void for_each5(auto& s1, auto& s2, auto& s3, auto& s4, auto& s5, auto operation) {
    Walk(operation, s1, s2, s3, s4, s5);
  }
  static void for_each6(auto& s1, auto& s2, auto& s3, auto& s4, auto& s5, auto& s6, auto operation) {
    Walk(operation, s1, s2, s3, s4, s5, s6);
  }
  static void for_each7(auto& s1, auto& s2, auto& s3, auto& s4, auto& s5, auto& s6, auto& s7,
                        auto operation) {
    Walk(operation, s1, s2, s3, s4, s5, s6, s7);
  }
  static void for_each8(auto& s1, auto& s2, auto& s3, auto& s4, auto& s5, auto& s6, auto& s7, auto& s8,
                        auto operation) {
    Walk(operation, s1, s2, s3, s4, s5, s6, s7, s8);
  }
  static void for_each9(auto& s1, auto& s2, auto& s3, auto& s4, auto& s5, auto& s6, auto& s7, auto& s8,
                        auto& s9, auto operation) {
    Walk(operation, s1, s2, s3, s4, s5, s6, s7, s8, s9);
  }
  static void for_each10(auto& s1, auto& s2, auto& s3, auto& s4, auto& s5, auto& s6, auto& s7, auto& s8,
                         auto& s9, auto& s10, auto operation) {
    Walk(operation, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10);
  }
  static void for_each11(auto& s1, auto& s2, auto& s3, auto& s4, auto& s5, auto& s6, auto& s7, auto& s8,
                         auto& s9, auto& s10, auto& s11, auto operation) {
    Walk(operation, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11);
  }
  static void for_each12(auto& s1, auto& s2, auto& s3, auto& s4, auto& s5, auto& s6, auto& s7, auto& s8,
                         auto& s9, auto& s10, auto& s11, auto& s12, auto operation) {
    Walk(operation, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12);
  }
  static void for_each13(auto& s1, auto& s2, auto& s3, auto& s4, auto& s5, auto& s6, auto& s7, auto& s8,
                         auto& s9, auto& s10, auto& s11, auto& s12, auto& s13, auto operation) {
    Walk(operation, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13);
  }
  static void for_each14(auto& s1, auto& s2, auto& s3, auto& s4, auto& s5, auto& s6, auto& s7, auto& s8,
                         auto& s9, auto& s10, auto& s11, auto& s12, auto& s13, auto& s14, auto operation) {
    Walk(operation, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14);
  }
  static void for_each15(auto& s1, auto& s2, auto& s3, auto& s4, auto& s5, auto& s6, auto& s7, auto& s8,
                         auto& s9, auto& s10, auto& s11, auto& s12, auto& s13, auto& s14, auto& s15,
                         auto operation) {
    Walk(operation, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15);
  }

  static double norm_inf(const State& s) {
    double largest = 0;
    for (const double value : s) largest = std::max(largest, std::abs(value));
    return largest;
  }

 private:
  using Four [[gnu::vector_size(4 * sizeof(double)), gnu::aligned(alignof(double)), gnu::may_alias]] = double;

  /// Whether an operation is s1 = a1 s2 + a2 s3 + ..., which reads the same for numbers and for vectors of
  /// them.
  template <class Operation>
  struct IsLinear : std::false_type {};
  template <class Operation, class First, class... More>
  static void Walk(Operation& operation, First& first, More&... more) {
    const std::size_t size = first.size();
    std::size_t i = 0;
    if constexpr (IsLinear<Operation>::value) {
      for (; i + 4 <= size; i += 4) operation(At(first, i), At(more, i)...);
    }
    for (; i < size; ++i) operation(first[i], more[i]...);
  }
  static Four& At(State& s, std::size_t i) { return reinterpret_cast<Four&>(s[i]); }
  static const Four& At(const State& s, std::size_t i) { return reinterpret_cast<const Four&>(s[i]); }
};

template <class... A>
struct VectorAlgebra::IsLinear<boost::numeric::odeint::default_operations::scale_sum1<A...>>
    : std::true_type {};
template <class... A>
struct VectorAlgebra::IsLinear<boost::numeric::odeint::default_operations::scale_sum2<A...>>
    : std::true_type {};
template <class... A>
struct VectorAlgebra::IsLinear<boost::numeric::odeint::default_operations::scale_sum3<A...>>
    : std::true_type {};
template <class... A>
struct VectorAlgebra::IsLinear<boost::numeric::odeint::default_operations::scale_sum4<A...>>
    : std::true_type {};
template <class... A>
struct VectorAlgebra::IsLinear<boost::numeric::odeint::default_operations::scale_sum5<A...>>
    : std::true_type {};
template <class... A>
struct VectorAlgebra::IsLinear<boost::numeric::odeint::default_operations::scale_sum6<A...>>
    : std::true_type {};
template <class... A>
struct VectorAlgebra::IsLinear<boost::numeric::odeint::default_operations::scale_sum7<A...>>
    : std::true_type {};
template <class... A>
struct VectorAlgebra::IsLinear<boost::numeric::odeint::default_operations::scale_sum8<A...>>
    : std::true_type {};
template <class... A>
struct VectorAlgebra::IsLinear<boost::numeric::odeint::default_operations::scale_sum9<A...>>
    : std::true_type {};
template <class... A>
struct VectorAlgebra::IsLinear<boost::numeric::odeint::default_operations::scale_sum10<A...>>
    : std::true_type {};
template <class... A>
struct VectorAlgebra::IsLinear<boost::numeric::odeint::default_operations::scale_sum11<A...>>
    : std::true_type {};
template <class... A>
struct VectorAlgebra::IsLinear<boost::numeric::odeint::default_operations::scale_sum12<A...>>
    : std::true_type {};
template <class... A>
struct VectorAlgebra::IsLinear<boost::numeric::odeint::default_operations::scale_sum13<A...>>
    : std::true_type {};
template <class... A>
struct VectorAlgebra::IsLinear<boost::numeric::odeint::default_operations::scale_sum14<A...>>
    : std::true_type {};

}  // namespace davit
