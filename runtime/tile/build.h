// Typed makers of instructions, one per opcode, with nisa's argument order. Optional arguments are set afterwards:
//   with(activation("y", Function::kExp, "x"), "bias", View("negmax"))
#pragma once

#include <string_view>
#include <variant>

#include "runtime/tile/program.h"

namespace np::tile {

// A per-partition column ((P,1) tile) or an immediate.
using Scalar = std::variant<Number, View>;

Instruction dmaCopy(View dst, View src);
Instruction tensorCopy(View dst, View src, Engine engine = Engine::kUnknown);
Instruction fill(View dst, Number value, Engine engine = Engine::kUnknown);  // memset
Instruction tensorCopyPredicated(View dst, Scalar src, View predicate);
Instruction ncMatmul(View dst, View stationary, View moving, std::optional<bool> accumulate = std::nullopt);
Instruction ncTranspose(View dst, View data, Engine engine = Engine::kUnknown);
Instruction tensorTensor(View dst, View data1, View data2, Function op, Engine engine = Engine::kUnknown);
Instruction tensorScalar(View dst, View data, Function op0, Scalar operand0, bool reverse0 = false);
Instruction tensorScalar(View dst, View data, Function op0, Scalar operand0, bool reverse0, Function op1,
                         Scalar operand1, bool reverse1 = false);
Instruction scalarTensorTensor(View dst, View data, Function op0, Scalar operand0, Function op1, View operand1,
                               bool reverse0 = false, bool reverse1 = false);
Instruction tensorReduce(View dst, Function op, View data, std::vector<int> axes, bool negate = false);
Instruction activation(View dst, Function op, View data, Scalar bias = Number(0), Scalar scale = Number(1));
Instruction activationReduce(View dst, Function op, View data, View reduce_res, Scalar bias = Number(0),
                             Scalar scale = Number(1));  // activation with reduce_op=add, reduce_cmd=reset_reduce
Instruction reciprocal(View dst, View data);
Instruction tensorTensorScan(View dst, View data0, View data1, Scalar initial, Function op0, Function op1);
Instruction affineSelect(View dst, std::vector<ApDim> pattern, Expr offset, Expr channel_multiplier, View on_true_tile,
                         Number on_false_value, Function cmp_op);
Instruction iota(View dst, std::vector<ApDim> pattern, Expr offset = 0, Expr channel_multiplier = 0);
Instruction max8(View dst, View src);
Instruction ncFindIndex8(View dst, View data, View vals);
Instruction ncNGather(View dst, View data, View indices);
Instruction selectReduce(View dst, View predicate, View on_true, Scalar on_false);
Instruction tensorScalarReduce(View dst, View data, Function op0, Scalar operand0, Function reduce_op, View reduce_res);

// The same instruction with one more argument set; aborts on a name that the opcode has not (our own bug).
Instruction with(Instruction instruction, std::string_view name, Argument value);

}  // namespace np::tile
