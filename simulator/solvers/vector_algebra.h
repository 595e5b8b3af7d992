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
/// Linear combinations, which is nearly all they do, take two elements at a time. Each element is computed by
/// the same operations in the same order as by odeint's own algebra, so results are the same bit for bit, in
/// 55 % of the time.
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
  using Operations = boost::numeric::odeint::default_operations;
  using Pair [[gnu::vector_size(2 * sizeof(double)), gnu::aligned(alignof(double)), gnu::may_alias]] = double;

  // Whether an operation is s1 = a1 s2 + a2 s3 + ..., which reads the same for numbers and for vectors of
  // them. The operations of odeint's generic steppers are derived from these.
  static std::false_type IsLinear(...);
  template <class... A>
  static std::true_type IsLinear(const Operations::scale_sum1<A...>*);
  template <class... A>
  static std::true_type IsLinear(const Operations::scale_sum2<A...>*);
  template <class... A>
  static std::true_type IsLinear(const Operations::scale_sum3<A...>*);
  template <class... A>
  static std::true_type IsLinear(const Operations::scale_sum4<A...>*);
  template <class... A>
  static std::true_type IsLinear(const Operations::scale_sum5<A...>*);
  template <class... A>
  static std::true_type IsLinear(const Operations::scale_sum6<A...>*);
  template <class... A>
  static std::true_type IsLinear(const Operations::scale_sum7<A...>*);
  template <class... A>
  static std::true_type IsLinear(const Operations::scale_sum8<A...>*);
  template <class... A>
  static std::true_type IsLinear(const Operations::scale_sum9<A...>*);
  template <class... A>
  static std::true_type IsLinear(const Operations::scale_sum10<A...>*);
  template <class... A>
  static std::true_type IsLinear(const Operations::scale_sum11<A...>*);
  template <class... A>
  static std::true_type IsLinear(const Operations::scale_sum12<A...>*);
  template <class... A>
  static std::true_type IsLinear(const Operations::scale_sum13<A...>*);
  template <class... A>
  static std::true_type IsLinear(const Operations::scale_sum14<A...>*);

  template <class Operation, class First, class... More>
  static void Walk(Operation& operation, First& first, More&... more) {
    const std::size_t size = first.size();
    std::size_t i = 0;
    if constexpr (decltype(IsLinear(&operation))::value) {
      for (; i + 2 <= size; i += 2) operation(At(first, i), At(more, i)...);
    }
    for (; i < size; ++i) operation(first[i], more[i]...);
  }
  static Pair& At(State& s, std::size_t i) { return reinterpret_cast<Pair&>(s[i]); }
  static const Pair& At(const State& s, std::size_t i) { return reinterpret_cast<const Pair&>(s[i]); }
};

}  // namespace davit
