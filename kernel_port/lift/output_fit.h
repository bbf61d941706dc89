// One output's formula from the training runs.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/lift/affine_fit.h"
#include "kernel_port/lift/piece_split.h"
#include "kernel_port/lift/size_run.h"
#include "kernel_port/lift/spec_builder.h"

namespace np::kernel_port::lift {

// A normal form of raw nodes; makes one rewriter per run.
using NormalForm = std::function<std::function<NodeId(NodeId)>(ExprDag&)>;

class OutputFit {
 public:
  OutputFit(const launch::LaunchFile& file, std::vector<SizeRun*> training, NormalForm form);

  // The statement of output number `output`. It explains the template that most elements have; whether it also explains
  // the others is for the symbolic gate. Errors: NPT2908 with the output's name and what does not fit.
  Result<spec::Stmt> statement(size_t output, spec::Arena& arena);
  // Two or more statements that write a piece each, together all of output number `output`. Errors as above.
  Result<std::vector<spec::Stmt>> pieces(size_t output, spec::Arena& arena);

 private:
  using Groups = std::map<TemplateId, std::vector<Point>>;
  // A raw node per element of the output at each training run; 0 where there is none to explain.
  using Elements = std::vector<std::vector<NodeId>>;
  const Instance& instanceOf(size_t run, NodeId element);
  Groups groupsOf(size_t run, size_t buffer, const std::vector<NodeId>& elements);
  Result<spec::Expr> fitElements(const Elements& elements, size_t buffer, const std::vector<spec::SizeExpr>& domain,
                                 spec::DType type, spec::Arena& arena);
  Result<spec::Stmt> pieceStatement(const Piece& piece, const std::vector<ElementGrid>& grids, spec::Stmt stmt,
                                    spec::DType type, spec::Arena& arena);
  // A statement that writes all of an output's buffer, still without a value.
  Result<spec::Stmt> wholeDomain(size_t output) const;
  // Splits elements of the form factor*(element before it in the last dimension) + addend.
  bool splitRecurrence(size_t output, Elements& factors, Elements& addends) const;

  const launch::LaunchFile& file_;
  std::vector<SizeRun*> training_;
  std::vector<spec::SizeValues> sizes_;
  SizeFit size_fit_;
  TemplateTable table_;
  std::vector<std::function<NodeId(NodeId)>> normal_;
  std::vector<std::unique_ptr<Templater>> templaters_;
};

}  // namespace np::kernel_port::lift
