// Union-find over size symbols. The older symbol stays the representative, so that Python reads a size from the first
// tensor that has it.

#include "kernel_port/host/shapes.h"

#include <algorithm>

namespace np::kernel_port::host {

Tensor& Shapes::add(Tensor tensor) { return tensors_[tensor.name] = std::move(tensor); }

Tensor* Shapes::find(const std::string& name) {
  const auto it = tensors_.find(name);
  return it == tensors_.end() ? nullptr : &it->second;
}

int Shapes::make(const std::string& python, const std::string& fallback) {
  const int id = static_cast<int>(symbols_.size());
  symbols_.push_back({id, "", python, fallback});
  return id;
}

int Shapes::dimension(Tensor& tensor, int dim) {
  if (!tensor.shape_of.empty()) return dimension(*find(tensor.shape_of), dim);
  while (static_cast<int>(tensor.dims.size()) <= dim) {
    const std::string index = std::to_string(tensor.dims.size());
    tensor.dims.push_back(make(tensor.name + ".shape[" + index + "]", tensor.name + "_" + index));
  }
  return tensor.dims[dim];
}

int Shapes::elementCount(Tensor& tensor) {
  if (!tensor.shape_of.empty()) return elementCount(*find(tensor.shape_of));
  if (tensor.numel < 0) tensor.numel = make(tensor.name + ".numel()", tensor.name + "_numel");
  return tensor.numel;
}

int Shapes::root(int symbol) const {
  while (symbols_[symbol].parent != symbol) symbol = symbols_[symbol].parent;
  return symbol;
}

void Shapes::unite(int a, int b) {
  a = root(a);
  b = root(b);
  if (a == b) return;
  if (b < a) std::swap(a, b);
  symbols_[b].parent = a;
  if (symbols_[a].name.empty()) symbols_[a].name = symbols_[b].name;
}

void Shapes::sameShape(Tensor& a, Tensor& b) {
  const bool rank_known = a.rank || b.rank;
  if (rank_known) {
    const int rank = a.rank ? *a.rank : *b.rank;
    const bool checked = a.rank_checked || b.rank_checked;
    for (Tensor* t : {&a, &b}) {
      t->rank = rank;
      t->rank_checked = t->rank_checked || checked;
    }
    for (int d = 0; d < rank; ++d) unite(dimension(a, d), dimension(b, d));
  }
  unite(elementCount(a), elementCount(b));
}

bool Shapes::nameSymbol(int symbol, const std::string& name) {
  symbol = root(symbol);
  if (!symbols_[symbol].name.empty()) return symbols_[symbol].name == name;
  for (int other : groups())
    if (symbols_[other].name == name) return false;
  symbols_[symbol].name = name;
  return true;
}

std::string Shapes::symbolName(int symbol) {
  symbol = root(symbol);
  if (symbols_[symbol].name.empty()) symbols_[symbol].name = symbols_[symbol].fallback;
  return symbols_[symbol].name;
}

std::vector<int> Shapes::groups() const {
  std::vector<int> out;
  for (int i = 0; i < static_cast<int>(symbols_.size()); ++i)
    if (root(i) == i) out.push_back(i);
  return out;
}

int Shapes::integerParameter(const std::string& name) {
  const int id = make(name, name);
  symbols_[id].name = name;
  return id;
}

}  // namespace np::kernel_port::host
