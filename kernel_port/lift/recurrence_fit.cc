// An output as a recurrence: factor and addend are fitted like outputs of their own, over all elements but the first of
// each line, and so is what the first one starts from. Which of 0, 1 and a value that the kernel reads that is, is
// decided by comparing the first elements; all others are for the symbolic gate.
#include "kernel_port/lift/canonicalise.h"
#include "kernel_port/lift/instantiate.h"
#include "kernel_port/lift/output_fit.h"

namespace np::kernel_port::lift {

std::optional<OutputFit::Chains> OutputFit::chains(size_t output, size_t dim, bool reversed) {
  Chains found;
  for (SizeRun* run : training_) {
    const Output& out = run->outputs[output];
    auto chain = findRecurrence(run->dag, out.elements, run->extents[static_cast<size_t>(out.buffer)], dim, reversed);
    if (!chain) return std::nullopt;
    found.push_back(std::move(*chain));
  }
  return found;
}

bool OutputFit::startsFrom(double initial, const Chains& chains, const spec::Stmt& factor, const spec::Stmt& addend,
                           size_t buffer, const Window& window) {
  for (size_t r = 0; r < chains.size(); ++r) {
    SizeRun& run = *training_[r];
    ExprDag& dag = run.dag;
    Instantiator instantiator(file_, run);
    Canonicaliser canonical(dag, FactorOrder::Sorted);
    for (size_t e = 0; e < chains[r].first_states.size(); ++e) {
      if (chains[r].first_states[e] == 0) continue;
      IntVector at = delinearise(static_cast<int64_t>(e), run.extents[buffer]);
      at[window.dim] = 0;
      NodeId f = instantiator.at(factor, at), a = instantiator.at(addend, at);
      if (f == 0 || a == 0) return false;
      NodeId h = dag.add(dag.mul(f, dag.constant(initial)), a);
      if (canonical.canonical(h) != canonical.canonical(chains[r].first_states[e])) return false;
    }
  }
  return true;
}

namespace {

std::vector<std::vector<NodeId>> listsOf(const std::vector<RecurrenceChain>& chains,
                                         std::vector<NodeId> RecurrenceChain::* list) {
  std::vector<std::vector<NodeId>> out;
  for (const RecurrenceChain& chain : chains) out.push_back(chain.*list);
  return out;
}

bool areElements(const std::vector<RecurrenceChain>& chains) {
  for (const RecurrenceChain& chain : chains)
    if (!chain.state_is_element) return false;
  return true;
}

}  // namespace

std::optional<spec::Stmt> OutputFit::wholeRecurrence(size_t output, const Chains& chains, const Window& window,
                                                     spec::Stmt stmt, spec::Arena& arena) {
  auto buffer = static_cast<size_t>(training_[0]->outputs[output].buffer);
  auto type = *spec::dtypeFromName(launch::name(file_.buffers[buffer].type));
  auto fit = [&](std::vector<NodeId> RecurrenceChain::* list, spec::DType as, spec::Expr state) {
    return fitElements(listsOf(chains, list), buffer, stmt.domain, as, arena, window, state);
  };
  auto factor = fit(&RecurrenceChain::factors, spec::DType::F32, nullptr);
  auto addend = fit(&RecurrenceChain::addends, spec::DType::F32, nullptr);
  if (!factor.ok() || !addend.ok()) return std::nullopt;
  spec::Expr initial = nullptr;
  spec::Stmt factor_stmt = stmt, addend_stmt = stmt;
  factor_stmt.value = factor.value();
  addend_stmt.value = addend.value();
  for (double number : {0.0, 1.0})
    if (initial == nullptr && startsFrom(number, chains, factor_stmt, addend_stmt, buffer, window))
      initial = arena.constant(number);
  if (initial == nullptr) {
    auto read = fit(&RecurrenceChain::initials, spec::DType::F32, nullptr);
    if (!read.ok()) return std::nullopt;
    initial = read.value();
  }
  auto axis = static_cast<spec::Axis>(window.dim);
  if (initial->depends(axis)) return std::nullopt;
  if (window.reversed)
    stmt.index[window.dim] = spec::Aff::axis(axis) * -1 + spec::Aff::constant(stmt.domain[window.dim] - 1);
  spec::Expr state = arena.rec(axis, factor.value(), addend.value(), initial);
  if (areElements(chains)) {
    stmt.value = type == spec::DType::F32 ? state : arena.cast(type, state);
    return stmt;
  }
  auto view = fit(&RecurrenceChain::views, type, state);
  if (!view.ok()) return std::nullopt;
  stmt.value = view.value();
  return stmt;
}

std::optional<std::vector<spec::Stmt>> OutputFit::splitRecurrence(size_t output, const Chains& chains,
                                                                  const Window& window, spec::Stmt stmt,
                                                                  spec::Arena& arena) {
  auto buffer = static_cast<size_t>(training_[0]->outputs[output].buffer);
  auto type = *spec::dtypeFromName(launch::name(file_.buffers[buffer].type));
  auto axis = static_cast<spec::Axis>(window.dim);
  const spec::SizeExpr length = stmt.domain[window.dim];
  auto place = [&](spec::Stmt& piece, const spec::SizeExpr& count, int64_t start) {
    piece.domain[window.dim] = count;
    piece.index[window.dim] = window.reversed ? spec::Aff::axis(axis) * -1 + spec::Aff::constant(length - (1 + start))
                                              : spec::Aff::axis(axis) + spec::Aff::constant(start);
  };
  spec::Stmt first = stmt, rest = stmt;
  place(first, 1, 0);
  place(rest, length - 1, 1);
  Elements heads;
  for (size_t r = 0; r < chains.size(); ++r) {
    std::vector<NodeId> elements = training_[r]->outputs[output].elements;
    for (size_t e = 0; e < elements.size(); ++e)
      if (chains[r].first_states[e] == 0) elements[e] = 0;
    heads.push_back(std::move(elements));
  }
  auto head = fitElements(heads, buffer, first.domain, type, arena, window);
  Window later = window;
  later.start = 1;
  auto fit = [&](std::vector<NodeId> RecurrenceChain::* list, spec::DType as, spec::Expr state) {
    return fitElements(listsOf(chains, list), buffer, rest.domain, as, arena, later, state);
  };
  auto factor = fit(&RecurrenceChain::factors, spec::DType::F32, nullptr);
  auto addend = fit(&RecurrenceChain::addends, spec::DType::F32, nullptr);
  auto initial = fit(&RecurrenceChain::first_states, spec::DType::F32, nullptr);
  if (!head.ok() || !factor.ok() || !addend.ok() || !initial.ok() || initial.value()->depends(axis))
    return std::nullopt;
  first.value = head.value();
  spec::Expr state = arena.rec(axis, factor.value(), addend.value(), initial.value());
  if (areElements(chains)) {
    rest.value = type == spec::DType::F32 ? state : arena.cast(type, state);
  } else {
    auto view = fit(&RecurrenceChain::views, type, state);
    if (!view.ok()) return std::nullopt;
    rest.value = view.value();
  }
  return std::vector<spec::Stmt>{std::move(first), std::move(rest)};
}

std::optional<std::vector<spec::Stmt>> OutputFit::recurrence(size_t output, const spec::Stmt& whole, bool in_pieces,
                                                             spec::Arena& arena) {
  auto buffer = static_cast<size_t>(training_[0]->outputs[output].buffer);
  if (!carried_ || !launch::isFloat(file_.buffers[buffer].type) || file_.buffers[buffer].extent.empty())
    return std::nullopt;
  for (size_t dim = whole.domain.size(); dim-- > 0;) {
    for (bool reversed : {false, true}) {
      Window window{dim, reversed, 0};
      auto found = chains(output, dim, reversed);
      if (!found) continue;
      if (in_pieces) {
        auto stmts = splitRecurrence(output, *found, window, whole, arena);
        found_recurrence_ |= stmts.has_value();
        if (stmts) return stmts;
      } else if (auto stmt = wholeRecurrence(output, *found, window, whole, arena)) {
        found_recurrence_ = true;
        return std::vector<spec::Stmt>{std::move(*stmt)};
      }
    }
  }
  return std::nullopt;
}

}  // namespace np::kernel_port::lift
