// A step is a node factor*before + addend (or - addend, or without one) in the expression of element t whose `before`
// is already part of element t - 1. Many nodes look like this; a chain is a choice of one step an element such that
// each step's `before` is the step of the element before it.
#include "kernel_port/lift/recurrence_chain.h"

#include <array>
#include <unordered_map>
#include <unordered_set>

namespace np::kernel_port::lift {

namespace {

constexpr size_t kMostNodes = 20'000;  // of one element's expression: beyond it no chain is looked for

enum class Form : uint8_t { Product, Add, Sub, SubFrom };

struct Step {
  NodeId state = 0, before = 0, factor = 0, addend = 0;
  Form form = Form::Product;
  uint32_t side = 0, slot = 0;  // which operand of the sum is the product, which of the product is `before`
  bool sameForm(const Step& other) const { return form == other.form && side == other.side && slot == other.slot; }
};

using Nodes = std::unordered_set<NodeId>;

bool reach(const ExprDag& dag, NodeId root, Nodes& seen) {
  std::vector<NodeId> stack{root};
  seen.insert(root);
  while (!stack.empty()) {
    NodeId n = stack.back();
    stack.pop_back();
    for (NodeId arg : dag.args(n))
      if (seen.insert(arg).second) stack.push_back(arg);
    if (seen.size() > kMostNodes) return false;
  }
  return true;
}

// All ways to read `n` as a step.
std::vector<Step> stepsOf(const ExprDag& dag, NodeId n) {
  std::vector<Step> steps;
  auto product = [&](NodeId m, Step step) {
    for (uint32_t slot : {0U, 1U}) {
      step.slot = slot;
      step.before = dag.arg(m, slot);
      step.factor = dag.arg(m, 1 - slot);
      steps.push_back(step);
    }
  };
  Op op = dag.op(n);
  if (op == Op::Mul) product(n, {n, 0, 0, 0, Form::Product, 0, 0});
  if (op != Op::Add && op != Op::Sub) return steps;
  for (uint32_t side : {0U, 1U}) {
    Form form = op == Op::Add ? Form::Add : side == 0 ? Form::Sub : Form::SubFrom;
    if (dag.op(dag.arg(n, side)) == Op::Mul) product(dag.arg(n, side), {n, 0, 0, dag.arg(n, 1 - side), form, side, 0});
  }
  return steps;
}

// Steps by element; chains are searched from the last element, where the fewest nodes look like steps by accident.
class LineSearch {
 public:
  LineSearch(const ExprDag& dag, const std::vector<NodeId>& line) : dag_(dag), line_(line) {}

  // A step for every element but the first, or nothing.
  std::vector<Step> find(const Step* form) {
    Nodes before;
    if (!reach(dag_, line_[0], before)) return {};
    steps_.resize(line_.size());
    for (size_t t = 1; t < line_.size(); ++t) {
      Nodes now;
      if (!reach(dag_, line_[t], now)) return {};
      for (NodeId n : now) {
        if (before.contains(n)) continue;
        for (const Step& step : stepsOf(dag_, n))
          if (before.contains(step.before) && (form == nullptr || step.sameForm(*form))) steps_[t].emplace(n, step);
      }
      if (steps_[t].empty()) return {};
      before = std::move(now);
    }
    chain_.resize(line_.size());
    for (const auto& [node, step] : steps_.back())
      if (follow(line_.size() - 1, step)) return chain_;
    return {};
  }

 private:
  bool follow(size_t t, const Step& step) {
    chain_[t] = step;
    if (t == 1) return true;
    auto [first, last] = steps_[t - 1].equal_range(step.before);
    for (auto it = first; it != last; ++it)
      if (it->second.sameForm(step) && follow(t - 1, it->second)) return true;
    return false;
  }

  const ExprDag& dag_;
  const std::vector<NodeId>& line_;
  std::vector<std::unordered_multimap<NodeId, Step>> steps_;
  std::vector<Step> chain_;
};

// `root` with `state` replaced by `hole`.
NodeId replace(ExprDag& dag, NodeId root, NodeId state, NodeId hole, std::unordered_map<NodeId, NodeId>& done) {
  if (root == state) return hole;
  if (root < state) return root;  // made before the state was
  if (auto it = done.find(root); it != done.end()) return it->second;
  std::vector<NodeId> args = dag.argList(root);
  std::vector<double> coefficients;
  bool changed = false;
  for (uint32_t i = 0; i < args.size(); ++i) {
    coefficients.push_back(dag.coefficient(root, i));
    NodeId with = replace(dag, args[i], state, hole, done);
    changed |= with != args[i];
    args[i] = with;
  }
  Node n = dag.node(root);
  NodeId made = changed ? dag.make(n.op, n.aux, n.imm, args, n.value, coefficients) : root;
  done.emplace(root, made);
  return made;
}

}  // namespace

std::optional<RecurrenceChain> findRecurrence(ExprDag& dag, const std::vector<NodeId>& elements,
                                              const std::vector<int64_t>& extents, size_t dim, bool reversed) {
  int64_t length = extents[dim], inner = 1, lines = 1;
  if (length < 3) return std::nullopt;
  for (size_t d = 0; d < extents.size(); ++d) {
    if (d > dim) inner *= extents[d];
    if (d != dim) lines *= extents[d];
  }
  RecurrenceChain found;
  for (auto* list : {&found.factors, &found.addends, &found.first_states, &found.initials, &found.views})
    list->resize(elements.size(), 0);
  std::optional<Step> form;
  for (int64_t i = 0; i < lines; ++i) {
    std::vector<NodeId> line;
    std::vector<size_t> place;
    for (int64_t t = 0; t < length; ++t) {
      int64_t along = reversed ? length - 1 - t : t;
      place.push_back(static_cast<size_t>((i / inner * length + along) * inner + i % inner));
      line.push_back(elements[place.back()]);
      if (line.back() == 0) return std::nullopt;
    }
    std::vector<Step> chain = LineSearch(dag, line).find(form ? &*form : nullptr);
    if (chain.empty()) return std::nullopt;
    form = chain.back();
    for (size_t t = 1; t < line.size(); ++t) {
      const Step& step = chain[t];
      found.factors[place[t]] = form->form == Form::SubFrom ? dag.neg(step.factor) : step.factor;
      found.addends[place[t]] = form->form == Form::Product ? dag.constant(0)
                                : form->form == Form::Sub   ? dag.neg(step.addend)
                                                            : step.addend;
      std::unordered_map<NodeId, NodeId> done;
      NodeId hole = dag.param(kStateParam, dag.value(step.state));
      found.views[place[t]] = replace(dag, line[t], step.state, hole, done);
      found.state_is_element &= line[t] == step.state;
    }
    found.first_states[place[0]] = chain[1].before;
    for (const Step& step : stepsOf(dag, chain[1].before))
      if (step.sameForm(*form)) found.initials[place[0]] = step.before;
  }
  return found;
}

}  // namespace np::kernel_port::lift
