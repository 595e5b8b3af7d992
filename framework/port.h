#pragma once

#include <memory>
#include <vector>

#include "framework/component.h"

namespace davit {

/// What the tree needs to know of a port of any domain.
class PortBase {
 public:
  PortBase() = default;
  PortBase(const PortBase&) = delete;
  PortBase& operator=(const PortBase&) = delete;
  /// Joins the port to a bond of its own domain; a single port replaces its bond, an array appends.
  virtual void Attach(void* bond) = 0;
  /// The bonds it reads and writes: one for a single port, also while nothing is connected.
  virtual std::size_t bond_count() const = 0;
  virtual void* bond(std::size_t i) = 0;

 protected:
  ~PortBase() = default;
};

enum class Connecting : std::uint8_t { kMandatory, kOptional };

/// A place where power flows. While nothing is connected to it, it reads and writes a bond of its own that is
/// all zero.
template <class Bond>
class Port final : public PortBase {
 public:
  Port(Component* owner, Text name, Role role, Text text, Connecting connecting = Connecting::kMandatory)
      : own_(std::make_unique<Bond>()), bond_(own_.get()) {
    owner->mutable_declarations().ports.push_back(
        {{name, {}, text}, Bond::kDomain, role, connecting == Connecting::kMandatory, false, this});
  }
  bool is_connected() const { return bond_ != own_.get(); }
  Bond& operator*() { return *bond_; }
  const Bond& operator*() const { return *bond_; }
  Bond* operator->() { return bond_; }
  const Bond* operator->() const { return bond_; }
  void Attach(void* bond) override { bond_ = static_cast<Bond*>(bond); }
  std::size_t bond_count() const override { return 1; }
  void* bond(std::size_t /*i*/) override { return bond_; }

 private:
  std::unique_ptr<Bond> own_;
  Bond* bond_;
};

/// As many ports as there are connections to this name.
template <class Bond>
class PortArray final : public PortBase {
 public:
  PortArray(Component* owner, Text name, Role role, Text text,
            Connecting connecting = Connecting::kMandatory) {
    owner->mutable_declarations().ports.push_back(
        {{name, {}, text}, Bond::kDomain, role, connecting == Connecting::kMandatory, true, this});
  }
  std::size_t size() const { return bonds_.size(); }
  Bond& operator[](std::size_t i) { return *bonds_[i]; }
  const Bond& operator[](std::size_t i) const { return *bonds_[i]; }
  void Attach(void* bond) override { bonds_.push_back(static_cast<Bond*>(bond)); }
  std::size_t bond_count() const override { return bonds_.size(); }
  void* bond(std::size_t i) override { return bonds_[i]; }

 private:
  std::vector<Bond*> bonds_;
};

using HydraulicPort = Port<HydraulicBond>;
using HydraulicPortArray = PortArray<HydraulicBond>;
using TranslationalPort = Port<TranslationalBond>;
using TranslationalPortArray = PortArray<TranslationalBond>;
using RotationalPort = Port<RotationalBond>;
using RotationalPortArray = PortArray<RotationalBond>;

}  // namespace davit
