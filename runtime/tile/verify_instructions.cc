// Rules of each instruction family: shapes, types, functions. Views and engines were checked before.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "runtime/tile/checker.h"
#include "runtime/tile/engine.h"

namespace np::tile {
namespace {

std::string shapeText(const FlatView& view) {
  return "(" + std::to_string(view.partitions()) + ", " + std::to_string(view.perPartition()) + ")";
}

bool isWide(const FlatView& view) { return view.dtype == Dtype::kI32 || view.dtype == Dtype::kU32; }
bool isUnsigned(Dtype dtype) { return dtype == Dtype::kU8 || dtype == Dtype::kU16 || dtype == Dtype::kU32; }

std::pair<double, double> integerRange(Dtype dtype) {
  const double bits = static_cast<double>(dtypeBytes(dtype) * 8);
  return isUnsigned(dtype) ? std::pair(0.0, std::exp2(bits) - 1)
                           : std::pair(-std::exp2(bits - 1), std::exp2(bits - 1) - 1);
}

}  // namespace

void Checker::checkInstruction(const FlatInstruction& i) {
  const Engine engine = chooseEngine(program_, i);
  switch (i.opcode) {
    case Opcode::kDmaCopy:
      return dmaCopy(i);
    case Opcode::kTensorCopy:
      return sameShape(*i.view("dst"), {i.view("src")});
    case Opcode::kMemset:
      return fill(i);
    case Opcode::kTensorCopyPredicated:
    case Opcode::kSelectReduce:
      return select(i);
    case Opcode::kNcMatmul:
      return matmul(i);
    case Opcode::kNcTranspose:
      return transpose(i, engine);
    case Opcode::kTensorTensor: {
      const FlatView *dst = i.view("dst"), *a = i.view("data1"), *b = i.view("data2");
      const bool bitwise = functionClass(*i.function("op")) == FunctionClass::kBitwise;
      sameShape(*dst, {a, b});
      atMostOnePsum({a, b});
      arithmetic(i, "op", bitwise);
      if (bitwise) {
        bitwiseIntegers({dst, a, b});
        require(engine == Engine::kVector, "engine", "bitwise operations run on VectorE");
      }
      return;
    }
    case Opcode::kTensorScalar:
      return tensorScalar(i, engine);
    case Opcode::kScalarTensorTensor: {
      const FlatView *dst = i.view("dst"), *a = i.view("data"), *b = i.view("operand1");
      sameShape(*dst, {a, b});
      atMostOnePsum({a, b});
      arithmetic(i, "op0", false);
      arithmetic(i, "op1", false);
      return checkScalar(i, "operand0", dst->partitions(), false);
    }
    case Opcode::kTensorReduce:
      return reduce(i);
    case Opcode::kActivation:
      return activation(i);
    case Opcode::kReciprocal:
      return sameShape(*i.view("dst"), {i.view("data")});
    case Opcode::kTensorTensorScan: {
      const FlatView *dst = i.view("dst"), *a = i.view("data0"), *b = i.view("data1");
      sameShape(*dst, {a, b});
      atMostOnePsum({a, b});
      arithmetic(i, "op0", false);
      arithmetic(i, "op1", false);
      return checkScalar(i, "initial", dst->partitions(), false);
    }
    case Opcode::kAffineSelect:
    case Opcode::kIota:
      return affine(i);
    case Opcode::kMax8:
    case Opcode::kNcFindIndex8:
      return max8(i);
    case Opcode::kNcNGather:
      return gatherFree(i);
    case Opcode::kTensorScalarReduce: {
      const FlatView& dst = *i.view("dst");
      const FlatView& result = *i.view("reduce_res");
      sameShape(dst, {i.view("data")});
      arithmetic(i, "op0", false);
      checkScalar(i, "operand0", dst.partitions(), false);
      const Function op = *i.function("reduce_op");
      require(op == Function::kAdd || op == Function::kMultiply || op == Function::kMaximum || op == Function::kMinimum,
              "function", std::string(functionName(op)) + " is no reduction here");
      require(result.perPartition() == 1 && result.partitions() == dst.partitions() && result.dtype == Dtype::kF32,
              "reduce-result", name(result) + " must be (P,1) of f32");
      return;
    }
  }
}

void Checker::sameShape(const FlatView& dst, std::initializer_list<const FlatView*> others) {
  for (const FlatView* other : others) {
    if (!other) continue;
    require(other->partitions() == dst.partitions(), "same-partitions",
            name(dst) + " " + shapeText(dst) + " and " + name(*other) + " " + shapeText(*other));
    require(other->perPartition() == dst.perPartition(), "same-elements",
            name(dst) + " " + shapeText(dst) + " and " + name(*other) + " " + shapeText(*other));
  }
}

void Checker::atMostOnePsum(std::initializer_list<const FlatView*> views) {
  int count = 0;
  for (const FlatView* view : views) count += view && memory(*view) == Memory::kPsum;
  require(count <= 1, "two-psum", "two operands lie in PSUM, copy one to SBUF");
}

void Checker::arithmetic(const FlatInstruction& i, std::string_view op, bool bitwise) {
  const std::optional<Function> f = i.function(op);
  if (!f) return;
  const FunctionClass kind = functionClass(*f);
  const bool arithmetic_class = kind == FunctionClass::kArithmetic || (kind == FunctionClass::kUnary && op == "op0");
  require(bitwise || arithmetic_class, kind == FunctionClass::kBitwise ? "bitwise" : "function",
          std::string(functionName(*f)) + " cannot be " + std::string(op) + " here");
  require(!bitwise || kind == FunctionClass::kBitwise, "bitwise",
          std::string(functionName(*f)) + " stands beside a bitwise operation");
  require((*f != Function::kAbsMax && *f != Function::kAbsMin) || hardware_.target == "trn3", "function",
          std::string(functionName(*f)) + " exists on trn3 only");
}

void Checker::bitwiseIntegers(std::initializer_list<const FlatView*> views) {
  for (const FlatView* view : views) {
    require(!isFloat(view->dtype), "bitwise", name(*view) + " is " + dtypeName(view->dtype) + ", not an integer type");
  }
}

void Checker::dmaCopy(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const FlatView& src = *i.view("src");
  require(dst.elements() == src.elements(), "same-elements",
          name(dst) + " takes " + std::to_string(dst.elements()) + " elements, " + name(src) + " gives " +
              std::to_string(src.elements()));
  if (!src.index.empty() || !dst.index.empty()) {
    require(dst.index.empty() || src.index.empty(), "gather", "only one side of a DMA may be indirect");
    require(dst.dims[0].size == src.dims[0].size, "gather", "both sides must have one row for each index");
  }
}

void Checker::fill(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const double value = *i.number("value");
  if (isFloat(dst.dtype)) return;
  const auto [low, high] = integerRange(dst.dtype);
  require(value == std::floor(value) && value >= low && value <= high, "memset-value",
          std::to_string(value) + " is no " + dtypeName(dst.dtype));
}

void Checker::inOneBank(const FlatView& dst) {
  const int64_t pitch = buffer(dst).partitionPitch();
  int64_t low = dst.offset % pitch, high = low;
  for (size_t d = 1; d < dst.dims.size(); ++d)
    (dst.dims[d].step < 0 ? low : high) += dst.dims[d].step * (dst.dims[d].size - 1);
  const int64_t bytes = dtypeBytes(dst.dtype);
  require(low * bytes / hardware_.psum_bank_bytes == (high * bytes + bytes - 1) / hardware_.psum_bank_bytes,
          "matmul-bank", name(dst) + " crosses a PSUM bank of " + std::to_string(hardware_.psum_bank_bytes) + " bytes");
}

void Checker::matmul(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const FlatView& stationary = *i.view("stationary");
  const FlatView& moving = *i.view("moving");
  if (!require(memory(dst) == Memory::kPsum, "memory", name(dst) + " must lie in PSUM")) return;
  for (const FlatView* operand : {&stationary, &moving}) {
    require(memory(*operand) == Memory::kSbuf, "memory", name(*operand) + " must lie in SBUF");
    require(isFloat(operand->dtype), "dtype",
            name(*operand) + " is " + dtypeName(operand->dtype) + ", TensorE takes floats");
  }
  require((stationary.dtype == Dtype::kF32) == (moving.dtype == Dtype::kF32), "dtype",
          "an f32 operand needs the other to be f32");
  const bool transposes = i.flag("is_transpose");
  require(dst.dtype == (transposes ? moving.dtype : Dtype::kF32), "dtype",
          name(dst) + " is " + dtypeName(dst.dtype) + ", PSUM takes " + (transposes ? "the operand's type" : "f32"));
  require(stationary.partitions() == moving.partitions() && stationary.perPartition() == dst.partitions() &&
              moving.perPartition() == dst.perPartition() && stationary.perPartition() <= hardware_.stationary_free &&
              moving.perPartition() <= hardware_.moving_free,
          "matmul-shape",
          "stationary " + shapeText(stationary) + ", moving " + shapeText(moving) + ", dst " + shapeText(dst));
  if (transposes) report("function", "is_transpose is not modelled, use nc_transpose");
  inOneBank(dst);
}

void Checker::transpose(const FlatInstruction& i, Engine engine) {
  const FlatView& dst = *i.view("dst");
  const FlatView& data = *i.view("data");
  const bool tensor = engine == Engine::kTensor;
  const int64_t most = tensor ? hardware_.tensor_transpose : hardware_.vector_transpose;
  require(dst.dtype == data.dtype, "dtype", name(dst) + " must have the type of " + name(data));
  require(dst.partitions() == data.perPartition() && dst.perPartition() == data.partitions(), "transpose-size",
          name(dst) + " " + shapeText(dst) + " is not " + name(data) + " " + shapeText(data) + " turned");
  require(data.partitions() <= most && data.perPartition() <= most, "transpose-size",
          shapeText(data) + " is more than " + std::to_string(most) + " x " + std::to_string(most));
  if (!tensor) return;
  require(isFloat(data.dtype), "dtype", name(data) + " is " + dtypeName(data.dtype) + ", TensorE takes floats");
  require(memory(data) == Memory::kSbuf && memory(dst) == Memory::kPsum, "memory", "TensorE turns SBUF into PSUM");
  if (memory(dst) == Memory::kPsum) inOneBank(dst);
}

void Checker::tensorScalar(const FlatInstruction& i, Engine engine) {
  const FlatView& dst = *i.view("dst");
  const FlatView& data = *i.view("data");
  const Function op0 = *i.function("op0");
  const std::optional<Function> op1 = i.function("op1");
  const bool bitwise = functionClass(op0) == FunctionClass::kBitwise;
  sameShape(dst, {&data});
  arithmetic(i, "op0", bitwise);
  arithmetic(i, "op1", bitwise);
  checkScalar(i, "operand0", dst.partitions(), bitwise);
  checkScalar(i, "operand1", dst.partitions(), bitwise);
  require(op1.has_value() == !std::holds_alternative<std::monostate>(i.argument("operand1")), "function",
          "op1 and operand1 come together");
  if (bitwise) bitwiseIntegers({&dst, &data});
  if (engine == Engine::kScalar) {
    const bool linear =
        (op0 == Function::kMultiply && (!op1 || op1 == Function::kAdd)) || (op0 == Function::kAdd && !op1);
    require(linear || hardware_.target == "trn3", "engine", "ScalarE runs multiply, add, or multiply then add");
  }
  if (engine == Engine::kGpsimd) {
    require(op0 == Function::kRsqrt, "engine", "GpSimd runs tensor_scalar for rsqrt only");
  } else {
    require(op0 != Function::kRsqrt, "engine", "rsqrt runs on GpSimd");
  }
  require((op0 != Function::kSquare && op0 != Function::kRelu) || hardware_.target == "trn3", "function",
          std::string(functionName(op0)) + " as op0 exists on trn3 only");
}

void Checker::reduce(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const FlatView& data = *i.view("data");
  const auto& axes = std::get<std::vector<int>>(i.argument("axis"));
  const int rank = static_cast<int>(data.dims.size());
  int64_t kept = data.perPartition();
  bool trailing = !axes.empty();
  for (size_t k = 0; k < axes.size(); ++k) {
    trailing = trailing && axes[k] >= 1 && axes[k] == rank - static_cast<int>(axes.size() - k);
    if (trailing) kept /= data.dims[static_cast<size_t>(axes[k])].size;
  }
  if (!require(trailing, "reduce-axes", "the axes must be the last of the " + std::to_string(rank - 1) + " free axes"))
    return;
  require(dst.partitions() == data.partitions(), "same-partitions",
          name(dst) + " " + shapeText(dst) + " and " + name(data) + " " + shapeText(data));
  require(dst.perPartition() == kept, "same-elements",
          name(dst) + " has " + std::to_string(dst.perPartition()) + " elements, " + std::to_string(kept) + " remain");
  const Function op = *i.function("op");
  require(isReduction(op) && functionClass(op) == FunctionClass::kArithmetic && op != Function::kSubtract, "function",
          std::string(functionName(op)) + " is no reduction of fp32 values");
}

void Checker::activation(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const Function f = *i.function("op");
  sameShape(dst, {i.view("data")});
  require(isActivation(f), "function", std::string(functionName(f)) + " is no activation function");
  checkScalar(i, "scale", dst.partitions(), false);
  if (const FlatView* bias = i.view("bias")) {
    require(bias->perPartition() == 1 && bias->partitions() == dst.partitions(), "scalar-operand",
            "bias " + name(*bias) + " must be (" + std::to_string(dst.partitions()) + ", 1)");
  }
  const FlatView* result = i.view("reduce_res");
  const std::optional<Function> op = i.function("reduce_op");
  const auto* command = std::get_if<ReduceCommand>(&i.argument("reduce_cmd"));
  require((result != nullptr) == op.has_value() && (result != nullptr) == (command != nullptr), "reduce-result",
          "reduce_op, reduce_res and reduce_cmd come together");
  if (op) require(*op == Function::kAdd, "function", "activation reduces by add only");
  if (command) {
    require(*command == ReduceCommand::kResetReduce, "reduce-result",
            "reduce_cmd must be reset_reduce, other commands depend on registers that Tile IR does not model");
  }
  if (result) {
    require(result->perPartition() == 1 && result->partitions() == dst.partitions() && result->dtype == Dtype::kF32,
            "reduce-result", name(*result) + " must be (P,1) of f32");
  }
}

void Checker::affine(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const auto& pattern = std::get<std::vector<FlatDim>>(i.argument("pattern"));
  int64_t elements = 1;
  for (const FlatDim& dim : pattern) elements *= dim.size;
  require(pattern.size() <= 4 && elements == dst.perPartition(), "pattern",
          std::to_string(pattern.size()) + " pairs with " + std::to_string(elements) + " elements for " + name(dst) +
              " " + shapeText(dst));
  require(i.integer("channel_multiplier") == 0 || dst.offset / buffer(dst).partitionPitch() == 0, "affine-start",
          name(dst) + " starts at another partition than 0");
  int64_t low = i.integer("offset"), high = low;
  const auto widen = [&](int64_t step, int64_t size) { (step < 0 ? low : high) += step * (size - 1); };
  for (const FlatDim& dim : pattern) widen(dim.step, dim.size);
  widen(i.integer("channel_multiplier"), dst.partitions());
  require(low >= std::numeric_limits<int32_t>::min() && high <= std::numeric_limits<int32_t>::max(), "pattern",
          "the affine value leaves 32 bits");
  if (i.opcode == Opcode::kIota) {
    if (!isFloat(dst.dtype)) {
      const auto [least, most] = integerRange(dst.dtype);
      require(static_cast<double>(low) >= least && static_cast<double>(high) <= most, "dtype",
              "the affine value leaves " + std::string(dtypeName(dst.dtype)));
    }
    return;
  }
  sameShape(dst, {i.view("on_true_tile")});
  require(isFloat(dst.dtype) && isFloat(i.view("on_true_tile")->dtype), "dtype", "affine_select works on floats here");
  const Function compare = i.function("cmp_op").value_or(Function::kEqual);
  require(isComparison(compare), "function", std::string(functionName(compare)) + " is no comparison");
}

void Checker::max8(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const bool finds = i.opcode == Opcode::kNcFindIndex8;
  const FlatView& data = *i.view(finds ? "data" : "src");
  require(data.perPartition() >= hardware_.max8_low && data.perPartition() <= hardware_.max8_high, "max8",
          name(data) + " has " + std::to_string(data.perPartition()) + " elements per partition");
  require(dst.perPartition() == 8 && dst.partitions() == data.partitions(), "max8", name(dst) + " must be (P,8)");
  if (!finds) return;
  const FlatView& wanted = *i.view("vals");
  require(wanted.perPartition() == 8 && wanted.partitions() == data.partitions(), "max8",
          name(wanted) + " must be (P,8)");
  require(dst.dtype == Dtype::kU16 || dst.dtype == Dtype::kU32, "dtype", name(dst) + " must be u16 or u32");
  atMostOnePsum({&data, &wanted});
}

void Checker::gatherFree(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const FlatView& data = *i.view("data");
  const FlatView& indices = *i.view("indices");
  sameShape(dst, {&indices});
  require(data.partitions() == dst.partitions(), "same-partitions",
          name(dst) + " " + shapeText(dst) + " and " + name(data) + " " + shapeText(data));
  require(indices.dtype == Dtype::kU32, "dtype", name(indices) + " must be u32");
  require(dst.dtype == data.dtype, "dtype", name(dst) + " must have the type of " + name(data));
}

void Checker::select(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const FlatView& predicate = *i.view("predicate");
  const bool reduces = i.opcode == Opcode::kSelectReduce;
  const FlatView* chosen = i.view(reduces ? "on_true" : "src");
  sameShape(dst, {&predicate, chosen});
  atMostOnePsum({&predicate, chosen});
  if (reduces) {
    require(dtypeBytes(predicate.dtype) <= 2 && !isFloat(predicate.dtype), "dtype",
            name(predicate) + " must be an 8- or 16-bit integer");
    require(!isWide(*chosen), "dtype", name(*chosen) + " must not be a 32-bit integer");
    return checkScalar(i, "on_false", dst.partitions(), false);
  }
  require(isUnsigned(predicate.dtype), "dtype", name(predicate) + " must be u8, u16 or u32");
  if (chosen) require(chosen->dtype == dst.dtype, "dtype", name(*chosen) + " must have the type of " + name(dst));
}

}  // namespace np::tile
