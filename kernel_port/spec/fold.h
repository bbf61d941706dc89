// Exact folding used by the Arena's constructors.
#pragma once

#include <optional>

#include "kernel_port/spec/spec.h"

namespace np::kernel_port::spec {

// The value of an operation on constants, rounded to `type`; nothing where it is undefined (division of integers by 0).
std::optional<double> foldBin(BinOp op, DType type, double a, double b);
std::optional<double> foldUn(UnOp op, DType type, double a);
bool foldCmp(CmpOp op, double a, double b);

// a op b where both are affine in axes and sizes and so is the result, else null.
Expr foldAffine(Arena& arena, BinOp op, Expr a, Expr b);

// The float64 value of an operation; used by folding and by the evaluator.
double applyBin(BinOp op, bool integers, double a, double b);
double applyUn(UnOp op, double a);

}  // namespace np::kernel_port::spec
