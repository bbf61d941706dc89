// What each instruction computes, row by row: a row is what one partition holds. Every row is loaded as fp32, computed
// and stored with one rounding, as the engines do; copies of equal types move bits.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/tile/convert.h"
#include "runtime/tile/functions.h"
#include "runtime/tile/machine.h"
#include "runtime/tile/schema.h"

namespace np::tile {
namespace {

// The affine value of each element of a row, without the partition's part.
std::vector<int64_t> affineRow(const std::vector<FlatDim>& pattern, int64_t offset) {
  std::vector<int64_t> out;
  forEachRun(pattern.data(), pattern.size(), offset, [&](int64_t first, int64_t step, int64_t count) {
    for (int64_t i = 0; i < count; ++i) out.push_back(first + i * step);
    return true;
  });
  return out;
}

bool isTrue(Function compare, int64_t value) { return applyInteger(compare, value, 0) != 0; }

}  // namespace

bool Machine::execute(const FlatInstruction& i) {
  switch (i.opcode) {
    case Opcode::kDmaCopy:
    case Opcode::kTensorCopy:
      return copy(i, "src");
    case Opcode::kMemset:
      return fill(i);
    case Opcode::kTensorCopyPredicated:
      return copyPredicated(i);
    case Opcode::kNcMatmul:
      return i.flag("is_transpose") ? transpose(i) : matmul(i);
    case Opcode::kNcTranspose:
      return transpose(i);
    case Opcode::kTensorTensor:
      return tensorTensor(i);
    case Opcode::kTensorScalar:
      return tensorScalar(i);
    case Opcode::kScalarTensorTensor:
      return scalarTensorTensor(i);
    case Opcode::kTensorReduce:
      return reduce(i);
    case Opcode::kActivation:
      return activate(i);
    case Opcode::kReciprocal:
      return reciprocal(i);
    case Opcode::kTensorTensorScan:
      return scan(i);
    case Opcode::kAffineSelect:
    case Opcode::kIota:
      return affine(i);
    case Opcode::kMax8:
      return max8(i);
    case Opcode::kNcFindIndex8:
      return findIndex8(i);
    case Opcode::kNcNGather:
      return gatherFree(i);
    case Opcode::kSelectReduce:
      return selectReduce(i);
    case Opcode::kTensorScalarReduce:
      return scalarReduce(i);
  }
  return fail("is not implemented");
}

bool Machine::fill(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const double value = *i.number("value");
  const auto count = static_cast<size_t>(dst.perPartition());
  const Row row(count, static_cast<float>(value));
  const std::vector<int64_t> integers(isFloat(dst.dtype) ? 0 : count, static_cast<int64_t>(value));
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    if (isFloat(dst.dtype))
      store(dst, p, row.data());
    else
      storeIntegers(dst, p, integers.data());
  }
  return true;
}

bool Machine::copyPredicated(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const FlatView* src = i.view("src");
  const bool exact = !isFloat(dst.dtype);
  const double immediate = i.number("src") ? *i.number("src") : 0;
  const auto count = static_cast<size_t>(dst.perPartition());
  std::vector<int64_t> chosen(count), integers(count, exact ? static_cast<int64_t>(immediate) : 0);
  Row values(count, static_cast<float>(immediate));
  Storage& to = storage(dst);
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    if (!loadIntegers(*i.view("predicate"), p, chosen.data())) return false;
    if (src && !(exact ? loadIntegers(*src, p, integers.data()) : load(*src, p, values.data()))) return false;
    size_t next = 0;
    forEachRun(dst.dims.data() + 1, dst.dims.size() - 1, dst.offset + p * dst.dims[0].step,
               [&](int64_t first, int64_t step, int64_t run) {
                 for (int64_t k = 0; k < run; ++k, ++next) {
                   if ((chosen[next] != 0) == i.flag("reverse_pred")) continue;
                   std::byte* at = to.at(first + k * step);
                   if (exact)
                     storeFromInteger(dst.dtype, &integers[next], 1, at, 1);
                   else
                     storeFromFloat(dst.dtype, &values[next], 1, at, 1);
                   to.markKnown(first + k * step, 1, 1);
                 }
                 return true;
               });
  }
  return true;
}

bool Machine::matmul(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const FlatView& stationary = *i.view("stationary");
  const FlatView& moving = *i.view("moving");
  const int64_t k_size = moving.partitions(), m_size = stationary.perPartition(), n_size = moving.perPartition();
  Row a(static_cast<size_t>(k_size * m_size)), b(static_cast<size_t>(k_size * n_size));
  for (int64_t k = 0; k < k_size; ++k) {
    if (!load(stationary, k, a.data() + k * m_size) || !load(moving, k, b.data() + k * n_size)) return false;
  }
  const bool* accumulate = std::get_if<bool>(&i.argument("accumulate"));
  Row sum(static_cast<size_t>(n_size)), before(static_cast<size_t>(n_size));
  for (int64_t m = 0; m < m_size; ++m) {
    std::fill(sum.begin(), sum.end(), 0.0f);
    for (int64_t k = 0; k < k_size; ++k) {
      const float factor = a[static_cast<size_t>(k * m_size + m)];
      const float* row = b.data() + k * n_size;
      float* to = sum.data();
      for (int64_t n = 0; n < n_size; ++n) to[n] += factor * row[n];
    }
    if (accumulate && *accumulate) {
      if (!load(dst, m, before.data())) return false;
      for (int64_t n = 0; n < n_size; ++n) sum[static_cast<size_t>(n)] += before[static_cast<size_t>(n)];
    }
    store(dst, m, sum.data());
  }
  return true;
}

// dst[f, p] = data[p, f]; nc_matmul with is_transpose moves `moving` the same way.
bool Machine::transpose(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const FlatView& data = *i.view(i.opcode == Opcode::kNcTranspose ? "data" : "moving");
  std::vector<std::byte> bytes;
  std::vector<bool> skipped;
  if (!pack(data, false, bytes, skipped)) return false;
  const int64_t rows = data.partitions(), columns = data.perPartition(), size = dtypeBytes(data.dtype);
  std::vector<std::byte> turned(bytes.size());
  for (int64_t p = 0; p < rows; ++p) {
    for (int64_t f = 0; f < columns; ++f) {
      std::copy_n(bytes.data() + (p * columns + f) * size, size, turned.data() + (f * rows + p) * size);
    }
  }
  return unpack(dst, false, turned, skipped);
}

bool Machine::tensorTensor(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const FlatView& data1 = *i.view("data1");
  const FlatView& data2 = *i.view("data2");
  const Function op = *i.function("op");
  const auto wide = [&](const FlatView& v) {
    return (v.dtype == Dtype::kI32 || v.dtype == Dtype::kU32) && buffer(v).memory == Memory::kSbuf;
  };
  const Engine* engine = std::get_if<Engine>(&i.argument("engine"));
  const bool exact = wide(dst) && wide(data1) && wide(data2) && (!engine || *engine == Engine::kGpsimd);
  if (exact || functionClass(op) == FunctionClass::kBitwise) return tensorTensorIntegers(i);
  const int64_t count = dst.perPartition();
  Row a(static_cast<size_t>(count)), b(a), out(a);
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    if (!load(data1, p, a.data()) || !load(data2, p, b.data())) return false;
    applyBinary(op, a.data(), 1, b.data(), 1, count, out.data());
    store(dst, p, out.data());
  }
  return true;
}

bool Machine::tensorTensorIntegers(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const auto count = static_cast<size_t>(dst.perPartition());
  std::vector<int64_t> a(count), b(count);
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    if (!loadIntegers(*i.view("data1"), p, a.data()) || !loadIntegers(*i.view("data2"), p, b.data())) return false;
    for (size_t k = 0; k < count; ++k) a[k] = applyInteger(*i.function("op"), a[k], b[k]);
    storeIntegers(dst, p, a.data());
  }
  return true;
}

// row = row op operand, or operand op row.
bool Machine::combine(const FlatInstruction& i, std::string_view op, std::string_view operand, std::string_view reverse,
                      int64_t p, Row& row) {
  float value = 0;
  if (!loadScalar(i.argument(operand), p, value)) return false;
  const auto count = static_cast<int64_t>(row.size());
  if (i.flag(reverse))
    applyBinary(*i.function(op), &value, 0, row.data(), 1, count, row.data());
  else
    applyBinary(*i.function(op), row.data(), 1, &value, 0, count, row.data());
  return true;
}

bool Machine::tensorScalar(const FlatInstruction& i) {
  if (functionClass(*i.function("op0")) == FunctionClass::kBitwise) return tensorScalarBitwise(i);
  const FlatView& dst = *i.view("dst");
  Row row(static_cast<size_t>(dst.perPartition()));
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    if (!load(*i.view("data"), p, row.data()) || !combine(i, "op0", "operand0", "reverse0", p, row)) return false;
    if (i.function("op1") && !combine(i, "op1", "operand1", "reverse1", p, row)) return false;
    store(dst, p, row.data());
  }
  return true;
}

bool Machine::tensorScalarBitwise(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  std::vector<int64_t> row(static_cast<size_t>(dst.perPartition()));
  const auto apply = [&](std::string_view op, std::string_view operand, std::string_view reverse, int64_t p) {
    if (!i.function(op)) return true;
    int64_t value = i.number(operand) ? static_cast<int64_t>(*i.number(operand)) : 0;
    if (i.view(operand) && !loadIntegers(*i.view(operand), p, &value)) return false;
    for (int64_t& x : row) {
      x = i.flag(reverse) ? applyInteger(*i.function(op), value, x) : applyInteger(*i.function(op), x, value);
    }
    return true;
  };
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    if (!loadIntegers(*i.view("data"), p, row.data())) return false;
    if (!apply("op0", "operand0", "reverse0", p) || !apply("op1", "operand1", "reverse1", p)) return false;
    storeIntegers(dst, p, row.data());
  }
  return true;
}

bool Machine::scalarTensorTensor(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const int64_t count = dst.perPartition();
  Row row(static_cast<size_t>(count)), other(row);
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    if (!load(*i.view("data"), p, row.data()) || !combine(i, "op0", "operand0", "reverse0", p, row)) return false;
    if (!load(*i.view("operand1"), p, other.data())) return false;
    const float *left = row.data(), *right = other.data();
    if (i.flag("reverse1")) std::swap(left, right);
    applyBinary(*i.function("op1"), left, 1, right, 1, count, row.data());
    store(dst, p, row.data());
  }
  return true;
}

bool Machine::reduce(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const FlatView& data = *i.view("data");
  const Function op = *i.function("op");
  const int64_t kept = dst.perPartition(), reduced = data.perPartition() / kept;
  Row row(static_cast<size_t>(kept * reduced)), out(static_cast<size_t>(kept));
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    if (!load(data, p, row.data())) return false;
    for (int64_t k = 0; k < kept; ++k) {
      const float value = reduceRow(op, row.data() + k * reduced, reduced);
      out[static_cast<size_t>(k)] = i.flag("negate") ? -value : value;
    }
    store(dst, p, out.data());
  }
  return true;
}

bool Machine::activate(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const FlatView& data = *i.view("data");
  const FlatView* sum = i.view("reduce_res");
  const Function f = *i.function("op");
  const int64_t count = dst.perPartition();
  Row row(static_cast<size_t>(count));
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    float scale = 1, bias = 0;
    if (!load(data, p, row.data()) || !loadScalar(i.argument("bias"), p, bias)) return false;
    const FlatArgument& factor = i.argument("scale");
    if (!std::holds_alternative<std::monostate>(factor) && !loadScalar(factor, p, scale)) return false;
    if (scale != 1 || bias != 0) {
      for (float& x : row) x = x * scale + bias;
    }
    for (float x : row) {
      if (!inActivationRange(f, x)) ++report_.out_of_range[f];
    }
    applyActivation(f, row.data(), count, row.data());
    store(dst, p, row.data());
    if (!sum) continue;
    const float total = reduceRow(Function::kAdd, row.data(), count);
    store(*sum, p, &total);
  }
  return true;
}

bool Machine::reciprocal(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  Row row(static_cast<size_t>(dst.perPartition()));
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    if (!load(*i.view("data"), p, row.data())) return false;
    for (float& x : row) x = 1.0f / x;
    store(dst, p, row.data());
  }
  return true;
}

bool Machine::scan(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const auto count = static_cast<size_t>(dst.perPartition());
  const Function op0 = *i.function("op0"), op1 = *i.function("op1");
  Row a(count), b(count);
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    float state = 0;
    if (!loadScalar(i.argument("initial"), p, state)) return false;
    if (!load(*i.view("data0"), p, a.data()) || !load(*i.view("data1"), p, b.data())) return false;
    for (size_t k = 0; k < count; ++k) {
      state = i.flag("reverse0") ? applyBinary(op0, state, a[k]) : applyBinary(op0, a[k], state);
      state = i.flag("reverse1") ? applyBinary(op1, b[k], state) : applyBinary(op1, state, b[k]);
      a[k] = state;
    }
    store(dst, p, a.data());
  }
  return true;
}

bool Machine::affine(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const std::vector<int64_t> base =
      affineRow(std::get<std::vector<FlatDim>>(i.argument("pattern")), i.integer("offset"));
  const int64_t multiplier = i.integer("channel_multiplier");
  const FlatView* kept = i.opcode == Opcode::kAffineSelect ? i.view("on_true_tile") : nullptr;
  const Function compare = kept ? i.function("cmp_op").value_or(Function::kEqual) : Function::kEqual;
  Row row(base.size());
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    if (kept) {
      if (!load(*kept, p, row.data())) return false;
      const auto otherwise = static_cast<float>(*i.number("on_false_value"));
      for (size_t k = 0; k < base.size(); ++k) {
        if (!isTrue(compare, base[k] + p * multiplier)) row[k] = otherwise;
      }
      store(dst, p, row.data());
    } else if (isFloat(dst.dtype)) {
      for (size_t k = 0; k < base.size(); ++k) row[k] = static_cast<float>(base[k] + p * multiplier);
      store(dst, p, row.data());
    } else {
      std::vector<int64_t> values(base);
      for (int64_t& value : values) value += p * multiplier;
      storeIntegers(dst, p, values.data());
    }
  }
  return true;
}

bool Machine::max8(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const FlatView& src = *i.view("src");
  Row row(static_cast<size_t>(src.perPartition()));
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    if (!load(src, p, row.data())) return false;
    if (std::any_of(row.begin(), row.end(), [](float x) { return std::isnan(x); })) {
      return fail("meets a NaN, whose place among the largest values is not documented");
    }
    std::partial_sort(row.begin(), row.begin() + 8, row.end(), std::greater<>());
    store(dst, p, row.data());
  }
  return true;
}

bool Machine::findIndex8(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const FlatView& data = *i.view("data");
  Row row(static_cast<size_t>(data.perPartition())), wanted(8);
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    if (!load(data, p, row.data()) || !load(*i.view("vals"), p, wanted.data())) return false;
    int64_t found[8];
    for (size_t k = 0; k < 8; ++k) {
      // Of equal values the n-th gets the n-th place where it occurs.
      const auto earlier = std::count(wanted.begin(), wanted.begin() + static_cast<int64_t>(k), wanted[k]);
      auto at = std::find(row.begin(), row.end(), wanted[k]);
      for (int64_t n = 0; n < earlier && at != row.end(); ++n) at = std::find(at + 1, row.end(), wanted[k]);
      found[k] = at == row.end() ? -1 : at - row.begin();
    }
    storeIntegers(dst, p, found);
  }
  return true;
}

bool Machine::gatherFree(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  const FlatView& data = *i.view("data");
  Row row(static_cast<size_t>(data.perPartition())), out(static_cast<size_t>(dst.perPartition()));
  std::vector<int64_t> exact(row.size()), exact_out(out.size()), indices(out.size());
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    if (!loadIntegers(*i.view("indices"), p, indices.data())) return false;
    if (isFloat(data.dtype) ? !load(data, p, row.data()) : !loadIntegers(data, p, exact.data())) return false;
    for (size_t k = 0; k < indices.size(); ++k) {
      if (indices[k] >= static_cast<int64_t>(row.size())) {
        return fail("index " + std::to_string(indices[k]) + " at partition " + std::to_string(p) + " is outside the " +
                    std::to_string(row.size()) + " elements of \"%" + buffer(data).name + "\"");
      }
      out[k] = row[static_cast<size_t>(indices[k])];
      exact_out[k] = exact[static_cast<size_t>(indices[k])];
    }
    if (isFloat(data.dtype))
      store(dst, p, out.data());
    else
      storeIntegers(dst, p, exact_out.data());
  }
  return true;
}

bool Machine::selectReduce(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  Row row(static_cast<size_t>(dst.perPartition()));
  std::vector<int64_t> chosen(row.size());
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    float otherwise = 0;
    if (!load(*i.view("on_true"), p, row.data()) || !loadIntegers(*i.view("predicate"), p, chosen.data()) ||
        !loadScalar(i.argument("on_false"), p, otherwise)) {
      return false;
    }
    for (size_t k = 0; k < row.size(); ++k) {
      if ((chosen[k] != 0) == i.flag("reverse_pred")) row[k] = otherwise;
    }
    store(dst, p, row.data());
  }
  return true;
}

bool Machine::scalarReduce(const FlatInstruction& i) {
  const FlatView& dst = *i.view("dst");
  Row row(static_cast<size_t>(dst.perPartition()));
  for (int64_t p = 0; p < dst.partitions(); ++p) {
    float operand = 0;
    if (!load(*i.view("data"), p, row.data()) || !loadScalar(i.argument("operand0"), p, operand)) return false;
    const auto count = static_cast<int64_t>(row.size());
    applyBinary(*i.function("op0"), row.data(), 1, &operand, 0, count, row.data());
    store(dst, p, row.data());
    const float total = reduceRow(*i.function("reduce_op"), row.data(), count);
    store(*i.view("reduce_res"), p, &total);
  }
  return true;
}

}  // namespace np::tile
