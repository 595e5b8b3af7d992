#pragma once

#include <memory>
#include <vector>

#include "framework/component.h"
#include "framework/domain.h"

namespace davit {

/// What the tree needs to know of a port of any domain.
class PortBase {
 public:
  PortBase() = default;
  PortBase(const PortBase&) = delete;
  PortBase& operator=(const PortBase&) = delete;
  /// Joins the port to a bond of its own domain; a single port replaces its bond, an array appends.
  virtual void Attach(Bond& bond) = 0;
  /// The bonds it reads and writes: one for a single port, also while nothing is connected.
  virtual std::size_t bond_count() const = 0;
  virtual Bond& bond(std::size_t i) = 0;

 protected:
  ~PortBase() = default;
};

enum class Connecting : std::uint8_t { kMandatory, kOptional };

/// A place where power flows. While nothing is connected to it, it reads and writes a bond of its own that is
/// all zero.
template <class B>
class Port final : public PortBase {
 public:
  Port(Component* owner, Text name, Role role, Text text, Connecting connecting = Connecting::kMandatory)
      : own_(std::make_unique<B>()), bond_(own_.get()) {
    owner->mutable_declarations().ports.push_back(
        {{name, {}, text}, &B::kDomain, role, connecting == Connecting::kMandatory, false, this});
  }
  bool is_connected() const { return bond_ != own_.get(); }
  B& operator*() { return *bond_; }
  const B& operator*() const { return *bond_; }
  B* operator->() { return bond_; }
  const B* operator->() const { return bond_; }
  void Attach(Bond& bond) override { bond_ = static_cast<B*>(&bond); }
  std::size_t bond_count() const override { return 1; }
  Bond& bond(std::size_t /*i*/) override { return *bond_; }

 private:
  std::unique_ptr<B> own_;
  B* bond_;
};

/// As many ports as there are connections to this name.
template <class B>
class PortArray final : public PortBase {
 public:
  PortArray(Component* owner, Text name, Role role, Text text,
            Connecting connecting = Connecting::kMandatory) {
    owner->mutable_declarations().ports.push_back(
        {{name, {}, text}, &B::kDomain, role, connecting == Connecting::kMandatory, true, this});
  }
  std::size_t size() const { return bonds_.size(); }
  B& operator[](std::size_t i) { return *bonds_[i]; }
  const B& operator[](std::size_t i) const { return *bonds_[i]; }
  void Attach(Bond& bond) override { bonds_.push_back(static_cast<B*>(&bond)); }
  std::size_t bond_count() const override { return bonds_.size(); }
  Bond& bond(std::size_t i) override { return *bonds_[i]; }

 private:
  std::vector<B*> bonds_;
};

/// A single port of a domain that is only known at run time; its variables are those of the domain.
class AnyPort final : public PortBase {
 public:
  AnyPort(Component* owner, Text name, const Domain& domain, Role role, Text text)
      : own_(domain.bond.make_pool()), bond_(&own_->Add()) {
    owner->mutable_declarations().ports.push_back({{name, {}, text}, &domain, role, true, false, this});
  }
  void Attach(Bond& bond) override { bond_ = &bond; }
  std::size_t bond_count() const override { return 1; }
  Bond& bond(std::size_t /*i*/) override { return *bond_; }

 private:
  std::unique_ptr<BondPool> own_;
  Bond* bond_;
};

}  // namespace davit
