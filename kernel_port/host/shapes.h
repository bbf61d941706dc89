// Shapes: what is known of each tensor's dimensions while a host function is read. Dimensions known to be equal share a
// size symbol; a symbol is named after the first local variable that holds it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace np::kernel_port::host {

struct Tensor {
  std::string name;   // local or parameter name
  std::string dtype;  // launch-file type; empty until known
  bool is_param = false;
  bool contiguous = false;            // checked or made so
  std::optional<int> rank;            // known rank
  bool rank_checked = false;          // the source itself checks it
  std::string fill;                   // allocated here: "empty" or "zeros"; empty for parameters
  std::string shape_of;               // allocated like this tensor
  std::vector<int> dims;              // symbol ids, by dimension; grows as dimensions are asked for
  int numel = -1;                     // symbol id of numel when the rank is not known
  std::vector<std::string> dim_text;  // allocated with an explicit shape: launch-file expression of each dimension
  std::vector<std::string> dim_python;
};

class Shapes {
 public:
  Tensor& add(Tensor tensor);
  Tensor* find(const std::string& name);
  const std::map<std::string, Tensor>& all() const { return tensors_; }

  // Symbol of dimension `dim`; made when asked for first.
  int dimension(Tensor& tensor, int dim);
  int elementCount(Tensor& tensor);
  // The two are known to be equal (a check said so).
  void unite(int a, int b);
  void sameShape(Tensor& a, Tensor& b);
  int root(int symbol) const;
  // Names the symbol unless it has a name; false when the name is taken by another.
  bool nameSymbol(int symbol, const std::string& name);
  std::string symbolName(int symbol);
  std::string symbolPython(int symbol) const { return symbols_[root(symbol)].python; }
  // Symbols made so far, one for each group, in order of creation.
  std::vector<int> groups() const;
  // A symbol for an integer parameter.
  int integerParameter(const std::string& name);

 private:
  struct Symbol {
    int parent;
    std::string name, python, fallback;
  };
  int make(const std::string& python, const std::string& fallback);
  std::map<std::string, Tensor> tensors_;
  std::vector<Symbol> symbols_;
};

}  // namespace np::kernel_port::host
