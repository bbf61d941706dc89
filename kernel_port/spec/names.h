// The words of the Spec language, shared by parser and printer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernel_port/spec/spec.h"

namespace np::kernel_port::spec {

std::string_view unName(UnOp op);
std::optional<UnOp> unFromName(std::string_view name);

// Functions of two arguments; + - * / have symbols instead.
std::string_view binName(BinOp op);
std::optional<BinOp> binFromName(std::string_view name);

std::string_view cmpSymbol(CmpOp op);
std::string_view redName(RedOp op);
std::optional<RedOp> redFromName(std::string_view name);
std::string_view roleName(Role role);
std::optional<Role> roleFromName(std::string_view name);

// A word that cannot name a size, buffer or scalar.
bool isReserved(std::string_view name);

// A float or integer literal with its type's suffix (f32 and i32 have none).
std::string literalText(double value, DType type);

}  // namespace np::kernel_port::spec
