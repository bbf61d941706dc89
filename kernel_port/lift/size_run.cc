// Sets up memory and arguments from a launch plan, runs the launches, and collects the outputs.
//
// Integer scalars and integer arguments are concrete: what depends on their value is specialised, and the lifter
// records it. Float scalars are symbols.
#include "kernel_port/lift/size_run.h"

#include "kernel_port/launch/inputs.h"

namespace np::kernel_port::lift {

namespace {

class Setup {
 public:
  Setup(const launch::LaunchFile& file, SizeRun& run) : file_(file), run_(run) {}

  Result<void> buffers() {
    NP_ASSIGN(std::vector<launch::HostBuffer> inputs, launch::makeInputs(file_, run_.plan));
    for (size_t i = 0; i < run_.plan.buffers.size(); ++i) {
      const launch::BufferPlan& plan = run_.plan.buffers[i];
      Memory m;
      m.name = plan.name;
      m.element = static_cast<int32_t>(launch::byteSize(plan.type));
      m.bytes = plan.bytes();
      m.type = plan.type;
      m.role = plan.role;
      m.extents = plan.extent.empty() ? std::vector<int64_t>{1} : plan.extent;
      if (plan.type == launch::ElementType::F64)
        return makeError("NPT2904", "not lifted: buffer \"" + plan.name + "\" holds f64", file_.path);
      if (plan.role == launch::Role::In || plan.role == launch::Role::InOut) m.data = inputs[i].bytes;
      run_.extents.push_back(m.extents);
      run_.data.push_back(m.data);
      memories.push_back(std::move(m));
    }
    for (size_t i = 0; i < file_.scalars.size(); ++i) {
      const launch::Scalar& s = file_.scalars[i];
      run_.scalars.push_back(launch::isFloat(s.type) ? run_.dag.param(static_cast<int32_t>(i), s.real) : 0);
    }
    return {};
  }

  // The values of a launch's arguments; structs get a memory each.
  Result<std::vector<Value>> arguments(size_t launch, const CompactFunction& function) {
    std::vector<Value> values;
    const launch::LaunchPlan& plan = run_.plan.launches[launch];
    for (size_t i = 0; i < plan.args.size(); ++i) {
      const launch::ArgPlan& arg = plan.args[i];
      bool wants_float =
          i < function.arguments.size() && function.slots[static_cast<size_t>(function.arguments[i])] == Kind::Float;
      if (auto* buffer = std::get_if<launch::BufferArg>(&arg)) {
        values.push_back(Value{0, 0, buffer->index});
      } else if (auto* number = std::get_if<launch::IntegerArg>(&arg)) {
        values.push_back(wants_float ? Value{0, run_.dag.toFloat(run_.dag.literal(number->value)), -1}
                                     : Value{number->value, 0, -1});
      } else if (auto* scalar = std::get_if<launch::ScalarArg>(&arg)) {
        values.push_back(scalarValue(scalar->scalar, wants_float));
      } else {
        values.push_back(structValue(std::get<launch::BytesArg>(arg), file_.launches[launch].args[i]));
      }
    }
    return values;
  }

  std::vector<Memory> memories;

 private:
  Value scalarValue(const launch::Scalar& scalar, bool wants_float) {
    for (size_t i = 0; i < file_.scalars.size(); ++i)
      if (file_.scalars[i].name == scalar.name && run_.scalars[i] != 0) return Value{0, run_.scalars[i], -1};
    run_.dag.assume("scalar \"" + scalar.name + "\" is " + std::to_string(scalar.integer));
    if (wants_float) return Value{0, run_.dag.constant(static_cast<double>(scalar.integer)), -1};
    return Value{scalar.integer, 0, -1};
  }

  Value structValue(const launch::BytesArg& bytes, const launch::Argument& source) {
    Memory m;
    m.where = Memory::Where::Bytes;
    m.name = "a struct passed by value";
    m.data = bytes.bytes;
    m.bytes = static_cast<int64_t>(bytes.bytes.size());
    int64_t offset = 0;
    if (auto* fields = std::get_if<launch::StructArg>(&source)) {
      for (const launch::StructField& field : fields->fields) {
        int64_t size = launch::byteSize(field.type);
        offset = (offset + size - 1) / size * size;
        if (auto* scalar = std::get_if<launch::ScalarRef>(&field.value))
          if (NodeId n = run_.scalars[static_cast<size_t>(scalar->index)]; n != 0) m.parameters.emplace_back(offset, n);
        offset += size;
      }
    }
    memories.push_back(std::move(m));
    return Value{0, 0, static_cast<int32_t>(memories.size()) - 1};
  }

  const launch::LaunchFile& file_;
  SizeRun& run_;
};

// The element as an expression; integers that are numbers become literals.
NodeId rootOf(ExprDag& dag, const Memory& memory, int64_t cell, int32_t buffer) {
  Cell c;
  if (static_cast<size_t>(cell) < memory.cells.size()) c = memory.cells[static_cast<size_t>(cell)];
  if (!memory.scatters.empty()) {
    if (c.kind == Kind::None && memory.role != launch::Role::InOut) return 0;
    bool is_float = launch::isFloat(memory.type);
    if (c.kind == Kind::None) {
      double number = initialValue(memory, cell);
      NodeId n = dag.input(buffer, cell, number);
      c.value = is_float ? Value{0, n, -1} : Value{static_cast<int64_t>(number), dag.linear({{n, 1}}, 0), -1};
    }
    return resolveScatters(dag, memory, cell, c.value).n;
  }
  if (c.kind != Kind::None) {
    if (c.kind == Kind::Float) return c.value.n;
    if (c.kind == Kind::Int && launch::isFloat(memory.type))
      return c.value.i == 0 && c.value.n == 0 ? dag.constant(0) : 0;
    if (c.kind == Kind::Int) return c.value.n != 0 ? c.value.n : dag.literal(c.value.i);
  }
  if (memory.role != launch::Role::InOut) return 0;
  return dag.input(buffer, cell, initialValue(memory, cell));
}

}  // namespace

Result<std::unique_ptr<SizeRun>> runAtSize(const launch::LaunchFile& file,
                                           const std::vector<CompactFunction>& functions,
                                           const std::vector<int64_t>& values, const MachineLimits& limits) {
  auto run = std::make_unique<SizeRun>();
  NP_ASSIGN(run->plan, launch::planCase(file, values));
  Setup setup(file, *run);
  NP_TRY(setup.buffers());
  for (size_t i = 0; i < functions.size(); ++i) {
    NP_ASSIGN(std::vector<Value> arguments, setup.arguments(i, functions[i]));
    const launch::LaunchPlan& plan = run->plan.launches[i];
    Machine machine(functions[i], run->dag, setup.memories, limits);
    NP_TRY(machine.launch({plan.grid, plan.block, plan.shared}, arguments));
    run->hits.push_back(machine.blockHits());
    run->outcomes.push_back(machine.outcomes());
    run->steps += machine.steps();
    run->forks += machine.forks();
  }
  for (size_t b = 0; b < run->plan.buffers.size(); ++b) {
    const Memory& m = setup.memories[b];
    if (m.role != launch::Role::Out && m.role != launch::Role::InOut) continue;
    Output output{static_cast<int32_t>(b), {}, 0};
    run->rewrites += m.rewrites;
    for (int64_t cell = 0; cell < run->plan.buffers[b].elements; ++cell) {
      bool touched =
          static_cast<size_t>(cell) < m.cells.size() && m.cells[static_cast<size_t>(cell)].kind != Kind::None;
      bool partial = touched && m.cells[static_cast<size_t>(cell)].partial;
      NodeId root = partial ? 0 : rootOf(run->dag, m, cell, output.buffer);
      if (root == 0)
        return makeError("NPT2911", "element " + std::to_string(cell) + " of output \"" + m.name +
                                        (partial ? "\" is written for some data only" : "\" is never written") +
                                        ", give the buffer the role inout if it keeps old values");
      output.untouched += touched ? 0 : 1;
      output.elements.push_back(root);
    }
    run->outputs.push_back(std::move(output));
  }
  return run;
}

}  // namespace np::kernel_port::lift
