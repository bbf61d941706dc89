// One output's formula from the training runs.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "analyzer/base/result.h"
#include "kernel_port/lift/affine_fit.h"
#include "kernel_port/lift/piece_split.h"
#include "kernel_port/lift/recurrence_chain.h"
#include "kernel_port/lift/size_run.h"
#include "kernel_port/lift/spec_builder.h"

namespace np::kernel_port::lift {

// A normal form of raw nodes; makes one rewriter per run.
using NormalForm = std::function<std::function<NodeId(NodeId)>(ExprDag&)>;

// How a statement's axes count an output's elements: backwards along `dim`, from its element `start` on.
struct Window {
  size_t dim = 0;
  bool reversed = false;
  int64_t start = 0;
};

class OutputFit {
 public:
  // `carried`: whether recurrences are looked for.
  OutputFit(const launch::LaunchFile& file, std::vector<SizeRun*> training, NormalForm form, bool carried);

  // The statement of output number `output`. It explains the template that most elements have; whether it also explains
  // the others is for the symbolic gate. Errors: NPT2908 with the output's name and what does not fit.
  Result<spec::Stmt> statement(size_t output, spec::Arena& arena);
  // Two or more statements that write a piece each, together all of output number `output`. Errors as above.
  Result<std::vector<spec::Stmt>> pieces(size_t output, spec::Arena& arena);
  // Whether any of the statements given holds a recurrence.
  bool foundRecurrence() const { return found_recurrence_; }

 private:
  using Groups = std::map<TemplateId, std::vector<Point>>;
  // A raw node per element of the output at each training run; 0 where there is none to explain.
  using Elements = std::vector<std::vector<NodeId>>;
  const Instance& instanceOf(size_t run, NodeId element);
  Groups groupsOf(size_t run, size_t buffer, const std::vector<NodeId>& elements, const Window& window);
  // `state`: what kStateParam stands for, if it occurs.
  Result<spec::Expr> fitElements(const Elements& elements, size_t buffer, const std::vector<spec::SizeExpr>& domain,
                                 spec::DType type, spec::Arena& arena, const Window& window = {},
                                 spec::Expr state = nullptr);
  Result<spec::Stmt> pieceStatement(const Piece& piece, const std::vector<ElementGrid>& grids, spec::Stmt stmt,
                                    spec::DType type, spec::Arena& arena);
  // A statement that writes all of an output's buffer, still without a value.
  Result<spec::Stmt> wholeDomain(size_t output) const;
  // The output as a state carried along one of its dimensions, over the whole of it or, `in_pieces`, with the first
  // element of each line by itself. recurrence_fit.cc
  using Chains = std::vector<RecurrenceChain>;  // by training run
  std::optional<std::vector<spec::Stmt>> recurrence(size_t output, const spec::Stmt& whole, bool in_pieces,
                                                    spec::Arena& arena);
  std::optional<Chains> chains(size_t output, size_t dim, bool reversed);
  std::optional<spec::Stmt> wholeRecurrence(size_t output, const Chains& chains, const Window& window, spec::Stmt stmt,
                                            spec::Arena& arena);
  std::optional<std::vector<spec::Stmt>> splitRecurrence(size_t output, const Chains& chains, const Window& window,
                                                         spec::Stmt stmt, spec::Arena& arena);
  bool startsFrom(double initial, const Chains& chains, const spec::Stmt& factor, const spec::Stmt& addend,
                  size_t buffer, const Window& window);

  const launch::LaunchFile& file_;
  std::vector<SizeRun*> training_;
  bool carried_, found_recurrence_ = false;
  std::vector<spec::SizeValues> sizes_;
  SizeFit size_fit_;
  TemplateTable table_;
  std::vector<std::function<NodeId(NodeId)>> normal_;
  std::vector<std::unique_ptr<Templater>> templaters_;
};

}  // namespace np::kernel_port::lift
