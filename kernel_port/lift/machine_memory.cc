// Loads, stores and atomics of the machine.
#include <cstring>
#include <utility>

#include "kernel_port/lift/machine.h"
#include "kernel_port/lift/template.h"

namespace np::kernel_port::lift {

double initialValue(const Memory& memory, int64_t element) {
  return launch::loadElement(memory.type, memory.data.data() + element * memory.element);
}

// The element that `address` means, for an access of `size` bytes. Shared and local arrays take their element size from
// the first access.
bool Machine::locate(const Value& address, int32_t size, int64_t& cell) {
  if (address.buffer < 0) {
    fail("NPT2905", "an access through a null pointer");
    return false;
  }
  Memory& memory = memories_[static_cast<size_t>(address.buffer)];
  if (memory.element == 0) memory.element = size;
  if (memory.element != size) {
    fail("NPT2904", "an access of " + std::to_string(size) + " bytes to \"" + memory.name + "\", whose elements have " +
                        std::to_string(memory.element) + " bytes");
    return false;
  }
  int64_t offset = address.i;
  if (offset % size != 0 || offset < 0 || offset + size > memory.bytes) {
    fail("NPT2905", "an access at byte " + std::to_string(offset) + " of \"" + memory.name + "\", which has " +
                        std::to_string(memory.bytes) + " bytes");
    return false;
  }
  cell = offset / size;
  if (memory.cells.size() <= static_cast<size_t>(cell)) memory.cells.resize(static_cast<size_t>(cell) + 1);
  return true;
}

Value Machine::initial(int32_t memory, int64_t cell) {
  const Memory& m = memories_[static_cast<size_t>(memory)];
  double number = initialValue(m, cell);
  NodeId n = dag_.input(memory, cell, number);
  if (launch::isFloat(m.type)) return Value{0, n, -1};
  return Value{static_cast<int64_t>(number), dag_.linear({{n, 1}}, 0), -1};
}

bool Machine::readCell(int32_t memory, int64_t cell, bool is_float, Value& value) {
  Memory& m = memories_[static_cast<size_t>(memory)];
  const Cell& c = m.cells[static_cast<size_t>(cell)];
  if (c.partial) {
    fail("NPT2905", "\"" + m.name + "\" is read where it was written for some data only");
    return false;
  }
  if (c.kind == Kind::None) {
    bool readable = m.where == Memory::Where::Global && !m.data.empty() &&
                    (m.role == launch::Role::In || m.role == launch::Role::InOut);
    if (!readable) {
      fail("NPT2905", "\"" + m.name + "\" is read before anything was written to it");
      return false;
    }
    if (launch::isFloat(m.type) != is_float) {
      fail("NPT2904", "\"" + m.name + "\" is read as another type than the launch file declares");
      return false;
    }
    value = resolveScatters(dag_, m, cell, initial(memory, cell));
    return true;
  }
  if ((c.kind == Kind::Float) != is_float) {
    if (is_float && c.value.n == 0 && c.value.i == 0) {  // zero bits
      value = Value{0, dag_.constant(0), -1};
      return true;
    }
    fail("NPT2904", "\"" + m.name + "\" is read as another type than it was written");
    return false;
  }
  value = resolveScatters(dag_, m, cell, c.value);
  return true;
}

void Machine::writeCell(int32_t memory, int64_t cell, const Value& value, Kind kind, int32_t thread) {
  Memory& m = memories_[static_cast<size_t>(memory)];
  Cell& c = m.cells[static_cast<size_t>(cell)];
  if (fork_depth_ > 0) journal_.push_back({memory, cell, c});
  m.written = true;
  auto writer = static_cast<int32_t>(block_number_ * static_cast<int64_t>(threads_.size()) + thread);
  if (m.where == Memory::Where::Global && c.writer >= 0 && c.writer != writer) ++m.rewrites;
  c.value = value;
  c.kind = kind;
  c.partial = false;
  c.writer = writer;
}

bool Machine::readBytes(const Memory& memory, int64_t offset, const Operation& op, Value& value) {
  int64_t size = op.aux;
  if (offset < 0 || offset + size > static_cast<int64_t>(memory.data.size())) {
    fail("NPT2905", "an access outside a struct passed by value");
    return false;
  }
  for (auto [field, node] : memory.parameters) {
    if (field != offset || (op.flags & kFloatValue) == 0) continue;
    value = Value{0, node, -1};
    return true;
  }
  const uint8_t* at = memory.data.data() + offset;
  if ((op.flags & kFloatValue) != 0) {
    auto type = size == 4 ? launch::ElementType::F32 : size == 8 ? launch::ElementType::F64 : launch::ElementType::F16;
    value = Value{0, dag_.constant(launch::loadElement(type, at)), -1};
    return true;
  }
  int64_t number = 0;
  std::memcpy(&number, at, static_cast<size_t>(size));
  auto shift = static_cast<unsigned>(64 - 8 * size);
  value = Value{static_cast<int64_t>(static_cast<uint64_t>(number) << shift) >> shift, 0, -1};
  return true;
}

Machine::Status Machine::load(Thread& thread, const Operation& op) {
  const Value address = thread.slots[static_cast<size_t>(op.a)];
  Value& dst = thread.slots[static_cast<size_t>(op.dst)];
  bool is_float = (op.flags & kFloatValue) != 0;
  if (address.buffer >= 0) {
    const Memory& m = memories_[static_cast<size_t>(address.buffer)];
    if (m.where == Memory::Where::Bytes) {
      if (address.n != 0) return fail("NPT2903", "an index into a struct depends on data");
      return readBytes(m, address.i, op, dst) ? Status::Ready : Status::Failed;
    }
  }
  // Under a branch on data, the way that this run's data does not take may have an index outside the buffer.
  if (address.n != 0 && address.buffer >= 0) return gather(thread, op);
  int64_t cell = 0;
  if (!locate(address, op.aux, cell)) return Status::Failed;
  Value value;
  if (!readCell(address.buffer, cell, is_float, value)) return Status::Failed;
  dst = value;
  return Status::Ready;
}

// A load at an index that depends on data. Under a branch on data it is guarded: the way that this run's data does not
// take may have an index outside the buffer.
Machine::Status Machine::gather(Thread& thread, const Operation& op) {
  const Value address = thread.slots[static_cast<size_t>(op.a)];
  const Memory& m = memories_[static_cast<size_t>(address.buffer)];
  bool is_float = (op.flags & kFloatValue) != 0, guarded = fork_depth_ > 0;
  if (m.where != Memory::Where::Global || m.written || m.role != launch::Role::In)
    return fail("NPT2903", "an index that depends on data into \"" + m.name + "\", which the kernel writes");
  if (m.element != op.aux || launch::isFloat(m.type) != is_float)
    return fail("NPT2904", "\"" + m.name + "\" is read as another type than the launch file declares");
  double number = 0;
  bool inside = address.i >= 0 && address.i + op.aux <= m.bytes && address.i % op.aux == 0;
  if (!inside && !guarded)
    return fail("NPT2905",
                "an index that depends on data leaves \"" + m.name + "\" at byte " + std::to_string(address.i));
  if (inside) number = initialValue(m, address.i / op.aux);
  std::vector<NodeId> index;
  std::vector<int64_t> extents = m.extents;
  std::erase_if(extents,
                [first = true](int64_t extent) mutable { return !std::exchange(first, false) && extent == 1; });
  if (!symbolicIndex(m, extents, address, op.aux, index)) return Status::Failed;
  spreadUnitDimensions(dag_, m.extents, index);
  NodeId n = dag_.gather(address.buffer, index, number, guarded);
  thread.slots[static_cast<size_t>(op.dst)] =
      is_float ? Value{0, n, -1} : Value{static_cast<int64_t>(number), dag_.linear({{n, 1}}, 0), -1};
  return Status::Ready;
}

// Splits a symbolic byte offset into one integer expression per dimension of `extents`.
bool Machine::symbolicIndex(const Memory& memory, const std::vector<int64_t>& extents, const Value& address,
                            int32_t size, std::vector<NodeId>& index) {
  NodeId offset = asNode(Value{address.i, address.n, -1});
  const Node n = dag_.node(offset);
  size_t rank = extents.size();
  std::vector<int64_t> stride(rank, size);
  for (size_t d = rank; d-- > 1;) stride[d - 1] = stride[d] * extents[d];
  std::vector<std::vector<std::pair<NodeId, int64_t>>> terms(rank);
  auto refuse = [&] {
    fail("NPT2903", "an index that depends on data into \"" + memory.name + "\" does not split into its dimensions");
    return false;
  };
  for (uint32_t i = 0; i < n.count; ++i) {
    auto factor = static_cast<int64_t>(dag_.coefficient(offset, i));
    size_t d = 0;
    while (d < rank && factor % stride[d] != 0) ++d;
    if (d == rank) return refuse();
    terms[d].emplace_back(dag_.arg(offset, i), factor / stride[d]);
  }
  int64_t rest = n.imm;
  for (size_t d = 0; d < rank; ++d) {
    int64_t part = terms[d].empty() || d + 1 == rank ? rest / stride[d] : 0;
    if (rest - part * stride[d] < 0) --part;
    rest -= part * stride[d];
    // A dimension without data must be inside its extent by itself.
    if (terms[d].empty() && d > 0 && (part < 0 || part >= extents[d])) return refuse();
    index.push_back(dag_.linear(terms[d], part));
  }
  return rest == 0 ? true : refuse();
}

void spreadUnitDimensions(ExprDag& dag, const std::vector<int64_t>& extents, std::vector<NodeId>& index) {
  for (size_t d = 1; d < extents.size(); ++d)
    if (extents[d] == 1) index.insert(index.begin() + static_cast<std::ptrdiff_t>(d), dag.linear({}, 0));
}

void foldUnitDimensions(ExprDag& dag, const std::vector<int64_t>& extents, std::vector<NodeId>& index) {
  size_t kept = 0;
  for (size_t d = 1; d < extents.size(); ++d) {
    if (extents[d] != 1) {
      kept = d;
      continue;
    }
    index[kept] = dag.linear({{index[kept], 1}, {index[d], 1}}, 0);
    index[d] = dag.linear({}, 0);
  }
}

Machine::Status Machine::store(Thread& thread, const Operation& op) {
  const Value& address = thread.slots[static_cast<size_t>(op.a)];
  int64_t cell = 0;
  if (!locate(address, op.aux, cell)) return Status::Failed;
  const Memory& m = memories_[static_cast<size_t>(address.buffer)];
  if (address.n != 0) return fail("NPT2903", "a store to \"" + m.name + "\" at an index that depends on data");
  bool is_float = (op.flags & kFloatValue) != 0;
  if (m.where == Memory::Where::Global && launch::isFloat(m.type) != is_float)
    return fail("NPT2904", "\"" + m.name + "\" is written as another type than the launch file declares");
  if (m.where == Memory::Where::Global && m.role == launch::Role::In)
    return fail("NPT2905", "\"" + m.name + "\" has role \"in\" but is written, give it the role inout");
  if (!m.scatters.empty())
    return fail("NPT2904", "a store to \"" + m.name + "\" after atomics at indices that depend on data");
  Kind kind = is_float ? Kind::Float : Kind::Int;
  const Value& value = thread.slots[static_cast<size_t>(op.b)];
  if (m.where == Memory::Where::Global && !is_float && value.n != 0 && !ranges_.of(value).within(rangeOfType(m.type)))
    return failNarrow("a store");
  writeCell(address.buffer, cell, value, kind, thread.id);
  return Status::Ready;
}

Machine::Status Machine::copy(Thread& thread, const Operation& op) {
  const Value to = thread.slots[static_cast<size_t>(op.a)];
  const bool fills = op.code == Code::Fill;
  const Value from = fills ? Value{} : thread.slots[static_cast<size_t>(op.b)];
  if (to.n != 0 || from.n != 0) return fail("NPT2903", "a copy at an address that depends on data");
  if (to.buffer < 0 || (!fills && from.buffer < 0)) return fail("NPT2905", "a copy through a null pointer");
  Memory& target = memories_[static_cast<size_t>(to.buffer)];
  int32_t size = target.element;
  if (!fills && size == 0) size = memories_[static_cast<size_t>(from.buffer)].element;
  if (size == 0) size = 4;
  for (int64_t at = 0; at < op.imm; at += size) {
    int64_t cell = 0, source = 0;
    Value destination = to;
    destination.i += at;
    if (!locate(destination, size, cell)) return Status::Failed;
    if (fills) {
      writeCell(to.buffer, cell, Value{}, Kind::Int, thread.id);
      continue;
    }
    Value origin = from;
    origin.i += at;
    if (!locate(origin, size, source)) return Status::Failed;
    const Memory& m = memories_[static_cast<size_t>(from.buffer)];
    Kind kind = m.cells[static_cast<size_t>(source)].kind;
    if (kind == Kind::None && m.where != Memory::Where::Global) continue;  // an uninitialised part of a struct
    if (kind == Kind::None) kind = launch::isFloat(m.type) ? Kind::Float : Kind::Int;
    Value value;
    if (!readCell(from.buffer, source, kind == Kind::Float, value)) return Status::Failed;
    locate(destination, size, cell);
    writeCell(to.buffer, cell, value, kind, thread.id);
  }
  return Status::Ready;
}

Machine::Status Machine::atomic(Thread& thread, const Operation& op) {
  const Value address = thread.slots[static_cast<size_t>(op.a)];
  const Value operand = thread.slots[static_cast<size_t>(op.b)];
  bool is_float = (op.flags & kFloatValue) != 0;
  if (op.dst >= 0)
    return fail("NPT2907",
                "the old value that an atomic returns is used, so the result depends on the order of threads");
  if (fork_depth_ > 0) return fail("NPT2903", "an atomic under a branch that depends on data");
  int64_t cell = 0;
  if (!locate(address, op.aux, cell)) return Status::Failed;
  Memory& m = memories_[static_cast<size_t>(address.buffer)];
  if (address.n != 0) return scatter(thread, op, address.buffer);
  Value old;
  std::vector<Scatter> log = std::move(m.scatters);  // additions commute with those in the log
  m.scatters.clear();
  bool readable = readCell(address.buffer, cell, is_float, old);
  memories_[static_cast<size_t>(address.buffer)].scatters = std::move(log);
  if (!readable) return Status::Failed;
  if (op.code != Code::AtomicAdd && !m.scatters.empty()) return fail("NPT2904", "mixed atomics on \"" + m.name + "\"");
  Value result;
  if (op.code == Code::AtomicAdd) {
    result = is_float ? Value{0, dag_.add(old.n, operand.n), -1} : addScaled(old, 1, operand, 1, old.i + operand.i);
  } else {
    if (!is_float) return fail("NPT2904", "an atomic maximum or minimum of integers");
    result = Value{0, dag_.extremum(op.code == Code::AtomicMin, old.n, operand.n), -1};
  }
  int64_t rewrites = m.rewrites;
  writeCell(address.buffer, cell, result, is_float ? Kind::Float : Kind::Int, thread.id);
  memories_[static_cast<size_t>(address.buffer)].rewrites = rewrites;
  dag_.assume("atomics may happen in any order");
  return Status::Ready;
}

// An addition at an index that depends on data is logged; resolveScatters() turns the log into values.
Machine::Status Machine::scatter(Thread& thread, const Operation& op, int32_t buffer) {
  Memory& m = memories_[static_cast<size_t>(buffer)];
  bool is_float = (op.flags & kFloatValue) != 0;
  if (op.code != Code::AtomicAdd)
    return fail("NPT2904", "an atomic maximum or minimum on \"" + m.name + "\" at an index that depends on data");
  const Value& address = thread.slots[static_cast<size_t>(op.a)];
  Scatter entry;
  entry.value = thread.slots[static_cast<size_t>(op.b)];
  entry.is_float = is_float;
  if (m.where == Memory::Where::Global) {
    for (size_t d = 1; d < m.extents.size(); ++d)
      if (m.extents[d] == 1)  // such a size is not checked on
        return fail("NPT2906", "which dimension of \"" + m.name +
                                   "\" an index counts along is open where one has a "
                                   "single element");
    if (!symbolicIndex(m, m.extents, address, op.aux, entry.index)) return Status::Failed;
  } else {
    NodeId offset = asNode(Value{address.i, address.n, -1});
    std::vector<std::pair<NodeId, int64_t>> terms;
    const Node n = dag_.node(offset);
    for (uint32_t i = 0; i < n.count; ++i) {
      auto factor = static_cast<int64_t>(dag_.coefficient(offset, i));
      if (factor % op.aux != 0) return fail("NPT2904", "an index into \"" + m.name + "\" between its elements");
      terms.emplace_back(dag_.arg(offset, i), factor / op.aux);
    }
    entry.index = {dag_.linear(terms, n.imm / op.aux)};
  }
  m.scatters.push_back(std::move(entry));
  m.written = true;
  dag_.assume("atomics may happen in any order");
  return Status::Ready;
}

// The value of a cell after the logged additions: old + sum of (index == cell ? value : 0).
Value resolveScatters(ExprDag& dag, const Memory& memory, int64_t cell, Value value) {
  IntVector at = memory.extents.empty() ? IntVector{cell} : delinearise(cell, memory.extents);
  std::vector<std::pair<NodeId, int64_t>> terms{{value.n != 0 ? value.n : dag.linear({}, value.i), 1}};
  for (const Scatter& entry : memory.scatters) {
    NodeId here = dag.constant(1);
    for (size_t d = 0; d < at.size(); ++d)
      here = dag.logic(false, here, dag.intCompare(spec::CmpOp::Eq, dag.linear({{entry.index[d], 1}}, -at[d])));
    if (entry.is_float) {
      value.n = dag.add(value.n, dag.select(here, entry.value.n, dag.constant(0)));
    } else {
      NodeId added = entry.value.n != 0 ? entry.value.n : dag.linear({}, entry.value.i);
      NodeId chosen = dag.select(here, added, dag.linear({}, 0));
      terms.emplace_back(chosen, 1);
      if (dag.value(here) != 0) value.i += entry.value.i;
    }
  }
  if (terms.size() > 1) value.n = dag.linear(terms, 0);
  return value;
}

}  // namespace np::kernel_port::lift
