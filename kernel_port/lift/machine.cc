// Scheduling of threads and the interpreter's main loop; memory, integers and forks have files of their own.
#include "kernel_port/lift/machine.h"

#include <algorithm>
#include <cmath>

namespace np::kernel_port::lift {

namespace {
constexpr int32_t kWarp = 32;
}

Machine::Status Machine::fail(std::string code, std::string message) {
  if (error_.code.empty()) {
    std::string where = "kernel \"" + function_.name + "\", block (" + std::to_string(block_index_[0]) + "," +
                        std::to_string(block_index_[1]) + "," + std::to_string(block_index_[2]) + ")";
    error_ = makeError(std::move(code), std::move(message), current_ != nullptr ? here(*current_) : "");
    error_.notes.push_back(std::move(where));
  }
  return Status::Failed;
}

void Machine::initialSlots(const std::vector<Value>& arguments) {
  auto first_array = static_cast<int32_t>(memories_.size());
  for (const SharedArray& array : function_.arrays) {
    Memory memory;
    memory.where = Memory::Where::Shared;
    memory.name = array.name;
    memory.bytes = array.bytes > 0 ? array.bytes : shape_.shared_bytes;
    memories_.push_back(std::move(memory));
  }
  initial_.assign(function_.slots.size(), Value{});
  for (const Constant& c : function_.constants) {
    Value& v = initial_[static_cast<size_t>(c.slot)];
    if (c.kind == Kind::Float) {
      v.n = dag_.constant(c.real);
    } else {
      v.i = c.integer;
      if (c.kind == Kind::Pointer) v.buffer = c.array < 0 ? -1 : first_array + c.array;
    }
  }
  for (size_t i = 0; i < arguments.size(); ++i) initial_[static_cast<size_t>(function_.arguments[i])] = arguments[i];
  first_local_ = static_cast<int32_t>(memories_.size());
  int64_t count = shape_.block[0] * shape_.block[1] * shape_.block[2];
  for (int64_t i = 0; i < count * function_.locals; ++i) {
    Memory memory;
    memory.where = Memory::Where::Local;
    memory.name = "a local array";
    memory.bytes = int64_t{1} << 20;
    memories_.push_back(std::move(memory));
  }
}

Result<void> Machine::launch(const LaunchShape& shape, const std::vector<Value>& arguments) {
  shape_ = shape;
  if (arguments.size() != function_.arguments.size())
    return makeError("NPT2902", "kernel \"" + function_.name + "\" takes " +
                                    std::to_string(function_.arguments.size()) + " arguments, the launch gives " +
                                    std::to_string(arguments.size()));
  size_t globals = memories_.size();
  initialSlots(arguments);
  hits_.resize(function_.blocks.size(), 0);
  outcomes_.resize(function_.operations.size());
  block_of_.resize(function_.operations.size(), 0);
  for (size_t b = 0; b < function_.blocks.size(); ++b)
    for (size_t op = static_cast<size_t>(function_.blocks[b].first); op < block_of_.size(); ++op)
      block_of_[op] = static_cast<int32_t>(b);
  auto count = static_cast<size_t>(shape.block[0] * shape.block[1] * shape.block[2]);
  threads_.assign(count, Thread{});
  Status status = Status::Done;
  for (int64_t z = 0; z < shape.grid[2] && status != Status::Failed; ++z)
    for (int64_t y = 0; y < shape.grid[1] && status != Status::Failed; ++y)
      for (int64_t x = 0; x < shape.grid[0] && status != Status::Failed; ++x) status = runBlock({x, y, z});
  memories_.resize(globals);
  if (status == Status::Failed) return error_;
  return {};
}

Machine::Status Machine::runBlock(const std::array<int64_t, 3>& index) {
  block_index_ = index;
  block_number_ = index[0] + shape_.grid[0] * (index[1] + shape_.grid[1] * index[2]);
  for (Memory& memory : memories_)
    if (memory.where == Memory::Where::Shared || memory.where == Memory::Where::Local) {
      memory.cells.clear();
      memory.scatters.clear();
    }
  for (size_t i = 0; i < threads_.size(); ++i) {
    Thread& t = threads_[i];
    t.slots = initial_;
    t.id = static_cast<int32_t>(i);
    auto number = static_cast<int64_t>(i);
    t.index = {number % shape_.block[0], number / shape_.block[0] % shape_.block[1],
               number / (shape_.block[0] * shape_.block[1])};
    t.pc = 0;
    t.status = Status::Ready;
    ++hits_[0];
  }
  auto count = static_cast<int32_t>(threads_.size());
  for (;;) {
    for (int32_t first = 0; first < count; first += kWarp)
      if (runWarp(first, std::min(first + kWarp, count)) == Status::Failed) return Status::Failed;
    bool waiting = false;
    for (Thread& t : threads_) {
      if (t.status != Status::AtBarrier) continue;
      waiting = true;
      t.status = Status::Ready;
    }
    if (!waiting) return Status::Done;
  }
}

Machine::Status Machine::runWarp(int32_t first, int32_t last) {
  for (;;) {
    bool shuffles = false;
    for (int32_t i = first; i < last; ++i) {
      Thread& t = threads_[static_cast<size_t>(i)];
      if (t.status == Status::Ready) t.status = run(t, -1);
      if (t.status == Status::Failed) return Status::Failed;
      shuffles |= t.status == Status::AtShuffle;
    }
    if (!shuffles) return Status::Done;
    if (shuffle(first, last) == Status::Failed) return Status::Failed;
  }
}

// Exchanges values between the lanes that wait at the first shuffle in program order.
Machine::Status Machine::shuffle(int32_t first, int32_t last) {
  int32_t pc = -1;
  for (int32_t i = first; i < last; ++i) {
    const Thread& t = threads_[static_cast<size_t>(i)];
    if (t.status == Status::AtShuffle && (pc < 0 || t.pc < pc)) pc = t.pc;
  }
  const Operation& op = function_.operations[static_cast<size_t>(pc) - 1];
  current_ = &op;
  std::array<Value, kWarp> source;
  uint32_t active = 0;
  for (int32_t i = first; i < last; ++i) {
    const Thread& t = threads_[static_cast<size_t>(i)];
    if (t.status != Status::AtShuffle || t.pc != pc) continue;
    source[static_cast<size_t>(i - first)] = t.slots[static_cast<size_t>(op.a)];
    active |= 1u << (i - first);
  }
  for (int32_t i = first; i < last; ++i) {
    int32_t lane = i - first;
    if ((active >> lane & 1u) == 0) continue;
    Thread& t = threads_[static_cast<size_t>(i)];
    const Value& operand = t.slots[static_cast<size_t>(op.b)];
    const Value& bound = t.slots[static_cast<size_t>(op.c)];
    if (operand.n != 0 || bound.n != 0) return fail("NPT2903", "the source lane of a shuffle depends on data");
    auto distance = static_cast<int32_t>(operand.i & 31);
    auto segment = static_cast<int32_t>(bound.i >> 8 & 31), clamp = static_cast<int32_t>(bound.i & 31);
    int32_t greatest = (lane & segment) | (clamp & ~segment), least = lane & segment;
    int32_t from = lane;
    bool inside = true;
    switch (static_cast<ShuffleMode>(op.aux)) {
      case ShuffleMode::Up:
        from = lane - distance;
        inside = from >= greatest;
        break;
      case ShuffleMode::Down:
        from = lane + distance;
        inside = from <= greatest;
        break;
      case ShuffleMode::Xor:
        from = lane ^ distance;
        inside = from <= greatest;
        break;
      case ShuffleMode::Idx:
        from = least | (distance & ~segment);
        inside = from <= greatest;
        break;
    }
    if (!inside) from = lane;
    if ((active >> from & 1u) == 0) return fail("NPT2905", "a shuffle reads a lane that does not take part in it");
    t.slots[static_cast<size_t>(op.dst)] = source[static_cast<size_t>(from)];
    t.status = Status::Ready;
  }
  return Status::Ready;
}

Machine::Status Machine::takeEdge(Thread& thread, int32_t edge, int32_t stop) {
  const Edge& e = function_.edges[static_cast<size_t>(edge)];
  std::vector<Value>& values = thread.pending;
  values.clear();
  for (auto [to, from] : e.copies) values.push_back(thread.slots[static_cast<size_t>(from)]);
  if (e.target == stop) return Status::AtStop;
  for (size_t i = 0; i < values.size(); ++i) thread.slots[static_cast<size_t>(e.copies[i].first)] = values[i];
  thread.pc = function_.blocks[static_cast<size_t>(e.target)].first;
  ++hits_[static_cast<size_t>(e.target)];
  return Status::Ready;
}

// Runs until the thread stops or reaches the edge into block `stop` (-1: none).
Machine::Status Machine::run(Thread& thread, int32_t stop) {
  for (;;) {
    const Operation& op = function_.operations[static_cast<size_t>(thread.pc++)];
    current_ = &op;
    if (++steps_ > limits_.steps) return fail("NPT2906", "the run takes too many steps to be lifted");
    Status status = Status::Ready;
    switch (op.code) {
      case Code::Nop:
        break;
      case Code::Return:
        return Status::Done;
      case Code::Barrier:
        if (fork_depth_ > 0) return fail("NPT2903", "a barrier under a branch that depends on data");
        return Status::AtBarrier;
      case Code::Shuffle:
        if (fork_depth_ > 0) return fail("NPT2903", "a shuffle under a branch that depends on data");
        return Status::AtShuffle;
      case Code::Jump:
        status = takeEdge(thread, op.b, stop);
        break;
      case Code::Branch: {
        const Value& condition = thread.slots[static_cast<size_t>(op.a)];
        if (condition.n == 0) {
          status = takeEdge(thread, (condition.i & 1) != 0 ? op.b : op.c, stop);
        } else {
          bool merged = false;
          status = fork(thread, op, block_of_[static_cast<size_t>(thread.pc) - 1], stop, merged);
        }
        break;
      }
      default:
        status = execute(thread, op);
        break;
    }
    if (status != Status::Ready) return status;
  }
}

Machine::Status Machine::execute(Thread& thread, const Operation& op) {
  std::vector<Value>& r = thread.slots;
  auto in = [&r](int32_t slot) -> const Value& { return r[static_cast<size_t>(slot)]; };
  auto set = [&](NodeId node) { r[static_cast<size_t>(op.dst)] = Value{0, node, -1}; };
  switch (op.code) {
    case Code::FAdd:
      set(dag_.add(in(op.a).n, in(op.b).n));
      break;
    case Code::FSub:
      set(dag_.sub(in(op.a).n, in(op.b).n));
      break;
    case Code::FMul:
      set(dag_.mul(in(op.a).n, in(op.b).n));
      break;
    case Code::FDiv:
      set(dag_.div(in(op.a).n, in(op.b).n));
      break;
    case Code::FRcp:
      set(dag_.div(dag_.constant(1), in(op.a).n));
      break;
    case Code::FNeg:
      set(dag_.neg(in(op.a).n));
      break;
    case Code::Fma:
      set(dag_.add(dag_.mul(in(op.a).n, in(op.b).n), in(op.c).n));
      break;
    case Code::FMax:
    case Code::FMin:
      set(dag_.extremum(op.code == Code::FMin, in(op.a).n, in(op.b).n));
      break;
    case Code::FCall:
      set(dag_.call(static_cast<spec::UnOp>(op.aux), in(op.a).n));
      break;
    case Code::FCall2:
      set(dag_.call2(static_cast<spec::BinOp>(op.aux), in(op.a).n, in(op.b).n));
      break;
    case Code::FRound:
      if (op.aux == static_cast<uint8_t>(spec::DType::F32)) {
        dag_.assume("double intermediates may be computed in f32");
        set(in(op.a).n);
      } else {
        set(dag_.cast(static_cast<spec::DType>(op.aux), in(op.a).n));
      }
      break;
    case Code::Move:
      r[static_cast<size_t>(op.dst)] = in(op.a);
      break;
    case Code::Select: {
      const Value condition = in(op.a);
      Kind kind = function_.slots[static_cast<size_t>(op.dst)];
      Value v = condition.n == 0 ? ((condition.i & 1) != 0 ? in(op.b) : in(op.c))
                                 : merge(condition.n, in(op.b), in(op.c), kind);
      if (kind == Kind::Pointer && condition.n != 0 && v.buffer == -2)
        return fail("NPT2903", "an address is selected by data");
      r[static_cast<size_t>(op.dst)] = v;
      break;
    }
    case Code::Special: {
      auto reg = static_cast<size_t>(op.aux);
      const std::array<int64_t, 3>* table[] = {&thread.index, &block_index_, &shape_.block, &shape_.grid};
      r[static_cast<size_t>(op.dst)] = Value{(*table[reg / 3])[reg % 3], 0, -1};
      break;
    }
    case Code::Alloca:
      r[static_cast<size_t>(op.dst)] =
          Value{0, 0, first_local_ + thread.id * function_.locals + static_cast<int32_t>(op.imm)};
      break;
    case Code::Extent: {
      const Value p = in(op.a);
      const Memory* m = p.buffer >= 0 ? &memories_[static_cast<size_t>(p.buffer)] : nullptr;
      bool whole =
          m != nullptr && m->where == Memory::Where::Global && p.n == 0 && p.i == 0 && m->element == in(op.b).i;
      if (!whole) return fail("NPT2903", "the number of iterations of a loop depends on integer data");
      r[static_cast<size_t>(op.dst)] = Value{m->bytes / m->element, 0, -1};
      break;
    }
    case Code::Gep: {
      Value p = in(op.a);
      int64_t offset = p.i + op.imm;
      bool symbolic = p.n != 0;
      for (int32_t k = 0; k < op.count; ++k) {
        auto [slot, scale] = function_.scales[static_cast<size_t>(op.first + k)];
        offset += in(slot).i * scale;
        symbolic |= in(slot).n != 0;
      }
      if (symbolic) {
        Value sum = addScaled(Value{p.i, p.n, -1}, 1, Value{op.imm, 0, -1}, 1, p.i + op.imm);
        for (int32_t k = 0; k < op.count; ++k) {
          auto [slot, scale] = function_.scales[static_cast<size_t>(op.first + k)];
          sum = addScaled(sum, 1, in(slot), scale, sum.i + in(slot).i * scale);
        }
        p.n = sum.n;
      }
      p.i = offset;
      r[static_cast<size_t>(op.dst)] = p;
      break;
    }
    case Code::Load:
      return load(thread, op);
    case Code::Store:
      return store(thread, op);
    case Code::Copy:
    case Code::Fill:
      return copy(thread, op);
    case Code::AtomicAdd:
    case Code::AtomicMax:
    case Code::AtomicMin:
      return atomic(thread, op);
    case Code::Unsupported:
      return fail("NPT2904", "not lifted: " + function_.messages[static_cast<size_t>(op.imm)]);
    case Code::FCmp:
    case Code::ICmp:
      return compareIntegers(thread, op);
    case Code::SExt:
    case Code::ZExt:
    case Code::Trunc:
    case Code::IntToFloat:
    case Code::FloatToInt:
    case Code::BitsToFloat:
    case Code::FloatToBits:
      return convert(thread, op);
    default:
      return integer(thread, op);
  }
  return Status::Ready;
}

}  // namespace np::kernel_port::lift
