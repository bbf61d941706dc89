// Branches on data: run both ways to the block where they meet, with a journal of what was stored, and merge.
//
//   if (v > 0) y[i] = v; else y[i] = a * v;      y[i] = select(0 < v, v, a*v)
//
// A loop that data may leave early works the same way, one nested fork per iteration, up to a depth.
#include <algorithm>

#include "kernel_port/lift/machine.h"

namespace np::kernel_port::lift {

void Machine::undo(size_t mark) {
  while (journal_.size() > mark) {
    Saved& saved = journal_.back();
    memories_[static_cast<size_t>(saved.memory)].cells[static_cast<size_t>(saved.cell)] = saved.old;
    journal_.pop_back();
  }
}

Machine::Status Machine::runSide(Thread& thread, int32_t edge, int32_t meet, std::vector<Value>& phis,
                                 Written& written) {
  size_t mark = journal_.size();
  ++fork_depth_;
  Status status = takeEdge(thread, edge, meet);
  if (status == Status::Ready) status = run(thread, meet);
  --fork_depth_;
  if (status != Status::AtStop) {
    if (status != Status::Failed) status = fail("NPT2903", "a branch on data whose ways do not meet again");
    return status;
  }
  phis = thread.pending;
  for (size_t i = mark; i < journal_.size(); ++i) written.push_back(journal_[i]);
  auto key = [](const Saved& s) { return std::make_pair(s.memory, s.cell); };
  std::sort(written.begin(), written.end(), [&](const Saved& a, const Saved& b) { return key(a) < key(b); });
  written.erase(
      std::unique(written.begin(), written.end(), [&](const Saved& a, const Saved& b) { return key(a) == key(b); }),
      written.end());
  for (Saved& s : written) s.old = memories_[static_cast<size_t>(s.memory)].cells[static_cast<size_t>(s.cell)];
  undo(mark);
  return Status::Ready;
}

Machine::Status Machine::fork(Thread& thread, const Operation& op, int32_t block, int32_t stop, bool& merged) {
  const Block& b = function_.blocks[static_cast<size_t>(block)];
  NodeId condition = thread.slots[static_cast<size_t>(op.a)].n;
  bool on_integer = dag_.op(condition) == Op::IntCompare;
  std::string what = on_integer ? "integer data" : "float data";
  if (on_integer && (b.guards_loop || b.leaves_loop))
    return fail("NPT2903", "the number of iterations of a loop depends on " + what);
  if (b.post_dominator < 0) return fail("NPT2903", "a branch on " + what + " whose ways do not meet again");
  if (fork_depth_ >= limits_.fork_depth)
    return fail("NPT2903", b.leaves_loop ? "the number of iterations of a loop depends on " + what
                                         : "branches on " + what + " are nested too deeply");
  ++forks_;
  std::vector<Value> saved = thread.slots;
  int32_t meet = b.post_dominator;
  std::vector<Value> then_phis, else_phis;
  Written then_written, else_written;
  if (Status s = runSide(thread, op.b, meet, then_phis, then_written); s != Status::Ready) return s;
  thread.slots = saved;
  if (Status s = runSide(thread, op.c, meet, else_phis, else_written); s != Status::Ready) return s;
  thread.slots = std::move(saved);
  current_ = &op;
  if (!mergeMemory(condition, then_written, else_written, thread.id)) return Status::Failed;
  // The phis of the meeting block are the same on every edge into it.
  const Edge* into = nullptr;
  for (const Edge& e : function_.edges)
    if (e.target == meet) into = &e;
  std::vector<Value> phis;
  for (size_t i = 0; i < then_phis.size(); ++i) {
    Kind kind = function_.slots[static_cast<size_t>(into->copies[i].first)];
    Value v = merge(condition, then_phis[i], else_phis[i], kind);
    if (v.buffer == -2) return fail("NPT2903", "an address is selected by data");
    phis.push_back(v);
  }
  merged = true;
  if (meet == stop) {
    thread.pending = std::move(phis);
    return Status::AtStop;
  }
  for (size_t i = 0; i < phis.size(); ++i) thread.slots[static_cast<size_t>(into->copies[i].first)] = phis[i];
  thread.pc = function_.blocks[static_cast<size_t>(meet)].first;
  ++hits_[static_cast<size_t>(meet)];
  return Status::Ready;
}

// `condition ? a : b`; for pointers that differ, buffer -2 says that there is no such value.
Value Machine::merge(NodeId condition, const Value& a, const Value& b, Kind kind) {
  if (a == b) return a;
  if (kind == Kind::Float) {
    if (a.n == 0 || b.n == 0) return a.n == 0 ? b : a;  // undefined on one way
    return Value{0, dag_.select(condition, a.n, b.n), -1};
  }
  if (kind == Kind::Pointer) return Value{0, 0, -2};
  int64_t number = dag_.value(condition) != 0 ? a.i : b.i;
  auto truth = [&](const Value& v) { return v.n == 0 && (v.i & 1) != 0; };
  auto falsehood = [&](const Value& v) { return v.n == 0 && (v.i & 1) == 0; };
  if (kind == Kind::Bool) {
    NodeId n = 0;
    if (truth(a))
      n = dag_.logic(true, condition, asCondition(b));
    else if (falsehood(a))
      n = dag_.logic(false, dag_.logicNot(condition), asCondition(b));
    else if (falsehood(b))
      n = dag_.logic(false, condition, asCondition(a));
    else if (truth(b))
      n = dag_.logic(true, dag_.logicNot(condition), asCondition(a));
    else
      n = dag_.logic(true, dag_.logic(false, condition, asCondition(a)),
                     dag_.logic(false, dag_.logicNot(condition), asCondition(b)));
    if (dag_.isConst(n)) return Value{dag_.value(n) != 0 ? -1 : 0, 0, -1};
    return Value{dag_.value(n) != 0 ? -1 : 0, n, -1};
  }
  NodeId chosen = dag_.select(condition, asNode(a), asNode(b));
  // Undefined beyond its bits if both are; a number counts as no wider than 32.
  auto bitsOf = [](const Value& v) { return v.n != 0 ? v.bits : static_cast<int8_t>(32); };
  bool narrow = bitsOf(a) > 0 && bitsOf(b) > 0 && std::abs(number) < (int64_t{1} << 31);
  return Value{number, dag_.linear({{chosen, 1}}, 0), -1, narrow ? std::max(bitsOf(a), bitsOf(b)) : int8_t{0}};
}

bool Machine::mergeMemory(NodeId condition, const Written& a, const Written& b, int32_t thread) {
  size_t i = 0, j = 0;
  auto key = [](const Saved& s) { return std::make_pair(s.memory, s.cell); };
  while (i < a.size() || j < b.size()) {
    bool take_a = j == b.size() || (i < a.size() && key(a[i]) <= key(b[j]));
    bool take_b = i == a.size() || (j < b.size() && key(b[j]) <= key(a[i]));
    const Saved& any = take_a ? a[i] : b[j];
    Cell old = memories_[static_cast<size_t>(any.memory)].cells[static_cast<size_t>(any.cell)];
    Cell x = take_a ? a[i].old : old, y = take_b ? b[j].old : old;
    Kind kind = x.kind != Kind::None ? x.kind : y.kind;
    bool partial = x.partial || y.partial;
    auto complete = [&](Cell& c) {
      if (c.kind != Kind::None) return;
      const Memory& m = memories_[static_cast<size_t>(any.memory)];
      bool readable = m.where == Memory::Where::Global && (m.role == launch::Role::In || m.role == launch::Role::InOut);
      if (readable)
        c.value = initial(any.memory, any.cell);
      else
        partial = true;
      c.kind = kind;
    };
    complete(x);
    complete(y);
    Value v = partial && (x.value.n == 0 || y.value.n == 0) ? (x.value.n != 0 ? x.value : y.value)
                                                            : merge(condition, x.value, y.value, kind);
    if (x.kind != y.kind) {
      fail("NPT2904", "a memory cell holds an integer or a float, depending on data");
      return false;
    }
    writeCell(any.memory, any.cell, v, kind, thread);
    memories_[static_cast<size_t>(any.memory)].cells[static_cast<size_t>(any.cell)].partial = partial;
    i += take_a ? 1 : 0;
    j += take_b ? 1 : 0;
  }
  return true;
}

}  // namespace np::kernel_port::lift
