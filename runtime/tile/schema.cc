// The instruction table. Argument names and order are those of nisa in NKI 0.7 (shims/tables, NKI call table); `name`
// is left out, as it does not change what an instruction does, and so are arguments that Tile IR does not model
// (priority, dge_mode, tile_position, perf_mode): the stand-in refuses values other than their defaults.
#include "runtime/tile/schema.h"

#include <array>

namespace np::tile {
namespace {

using K = ArgumentKind;
constexpr Access R = Access::kRead, W = Access::kWrite, RW = Access::kReadWrite;

constexpr ArgumentSchema kDmaCopy[] = {
    {"dst", K::kView, true, W}, {"src", K::kView, true, R}, {"oob_mode", K::kOobMode, false}};
constexpr ArgumentSchema kTensorCopy[] = {
    {"dst", K::kView, true, W}, {"src", K::kView, true, R}, {"engine", K::kEngine, false}};
constexpr ArgumentSchema kMemset[] = {{"dst", K::kView, true, W}, {"value", K::kNumber}, {"engine", K::kEngine, false}};
constexpr ArgumentSchema kTensorCopyPredicated[] = {{"dst", K::kView, true, RW},
                                                    {"src", K::kScalar, true, R},
                                                    {"predicate", K::kView, true, R},
                                                    {"reverse_pred", K::kFlag, false}};
constexpr ArgumentSchema kNcMatmul[] = {{"dst", K::kView, true, RW},
                                        {"stationary", K::kView, true, R},
                                        {"moving", K::kView, true, R},
                                        {"is_stationary_onezero", K::kFlag, false},
                                        {"is_moving_onezero", K::kFlag, false},
                                        {"is_transpose", K::kFlag, false},
                                        {"accumulate", K::kTriState, false}};
constexpr ArgumentSchema kNcTranspose[] = {
    {"dst", K::kView, true, W}, {"data", K::kView, true, R}, {"engine", K::kEngine, false}};
constexpr ArgumentSchema kTensorTensor[] = {{"dst", K::kView, true, W},
                                            {"data1", K::kView, true, R},
                                            {"data2", K::kView, true, R},
                                            {"op", K::kFunction},
                                            {"engine", K::kEngine, false}};
constexpr ArgumentSchema kTensorScalar[] = {
    {"dst", K::kView, true, W},         {"data", K::kView, true, R},   {"op0", K::kFunction},
    {"operand0", K::kScalar, true, R},  {"reverse0", K::kFlag, false}, {"op1", K::kFunction, false},
    {"operand1", K::kScalar, false, R}, {"reverse1", K::kFlag, false}, {"engine", K::kEngine, false}};
constexpr ArgumentSchema kScalarTensorTensor[] = {{"dst", K::kView, true, W},    {"data", K::kView, true, R},
                                                  {"op0", K::kFunction},         {"operand0", K::kScalar, true, R},
                                                  {"op1", K::kFunction},         {"operand1", K::kView, true, R},
                                                  {"reverse0", K::kFlag, false}, {"reverse1", K::kFlag, false}};
constexpr ArgumentSchema kTensorReduce[] = {{"dst", K::kView, true, W},
                                            {"op", K::kFunction},
                                            {"data", K::kView, true, R},
                                            {"axis", K::kAxes},
                                            {"negate", K::kFlag, false}};
constexpr ArgumentSchema kActivation[] = {{"dst", K::kView, true, W},         {"op", K::kFunction},
                                          {"data", K::kView, true, R},        {"bias", K::kScalar, false, R},
                                          {"scale", K::kScalar, false, R},    {"reduce_op", K::kFunction, false},
                                          {"reduce_res", K::kView, false, W}, {"reduce_cmd", K::kReduceCommand, false}};
constexpr ArgumentSchema kReciprocal[] = {{"dst", K::kView, true, W}, {"data", K::kView, true, R}};
constexpr ArgumentSchema kTensorTensorScan[] = {{"dst", K::kView, true, W},    {"data0", K::kView, true, R},
                                                {"data1", K::kView, true, R},  {"initial", K::kScalar, true, R},
                                                {"op0", K::kFunction},         {"op1", K::kFunction},
                                                {"reverse0", K::kFlag, false}, {"reverse1", K::kFlag, false}};
constexpr ArgumentSchema kAffineSelect[] = {{"dst", K::kView, true, W},          {"pattern", K::kPattern},
                                            {"channel_multiplier", K::kInteger}, {"on_true_tile", K::kView, true, R},
                                            {"on_false_value", K::kNumber},      {"cmp_op", K::kFunction, false},
                                            {"offset", K::kInteger, false}};
constexpr ArgumentSchema kIota[] = {{"dst", K::kView, true, W},
                                    {"pattern", K::kPattern},
                                    {"offset", K::kInteger, false},
                                    {"channel_multiplier", K::kInteger, false}};
constexpr ArgumentSchema kMax8[] = {{"dst", K::kView, true, W}, {"src", K::kView, true, R}};
constexpr ArgumentSchema kNcFindIndex8[] = {
    {"dst", K::kView, true, W}, {"data", K::kView, true, R}, {"vals", K::kView, true, R}};
constexpr ArgumentSchema kNcNGather[] = {
    {"dst", K::kView, true, W}, {"data", K::kView, true, R}, {"indices", K::kView, true, R}};
constexpr ArgumentSchema kSelectReduce[] = {{"dst", K::kView, true, W},
                                            {"predicate", K::kView, true, R},
                                            {"on_true", K::kView, true, R},
                                            {"on_false", K::kScalar, true, R},
                                            {"reverse_pred", K::kFlag, false}};
constexpr ArgumentSchema kTensorScalarReduce[] = {{"dst", K::kView, true, W},  {"data", K::kView, true, R},
                                                  {"op0", K::kFunction},       {"operand0", K::kScalar, true, R},
                                                  {"reduce_op", K::kFunction}, {"reduce_res", K::kView, true, W}};

constexpr InstructionSchema kSchemas[] = {
    {Opcode::kDmaCopy, "dma_copy", kDmaCopy},
    {Opcode::kTensorCopy, "tensor_copy", kTensorCopy},
    {Opcode::kMemset, "memset", kMemset},
    {Opcode::kTensorCopyPredicated, "tensor_copy_predicated", kTensorCopyPredicated},
    {Opcode::kNcMatmul, "nc_matmul", kNcMatmul},
    {Opcode::kNcTranspose, "nc_transpose", kNcTranspose},
    {Opcode::kTensorTensor, "tensor_tensor", kTensorTensor},
    {Opcode::kTensorScalar, "tensor_scalar", kTensorScalar},
    {Opcode::kScalarTensorTensor, "scalar_tensor_tensor", kScalarTensorTensor},
    {Opcode::kTensorReduce, "tensor_reduce", kTensorReduce},
    {Opcode::kActivation, "activation", kActivation},
    {Opcode::kReciprocal, "reciprocal", kReciprocal},
    {Opcode::kTensorTensorScan, "tensor_tensor_scan", kTensorTensorScan},
    {Opcode::kAffineSelect, "affine_select", kAffineSelect},
    {Opcode::kIota, "iota", kIota},
    {Opcode::kMax8, "max8", kMax8},
    {Opcode::kNcFindIndex8, "nc_find_index8", kNcFindIndex8},
    {Opcode::kNcNGather, "nc_n_gather", kNcNGather},
    {Opcode::kSelectReduce, "select_reduce", kSelectReduce},
    {Opcode::kTensorScalarReduce, "tensor_scalar_reduce", kTensorScalarReduce},
};

}  // namespace

std::span<const InstructionSchema> allSchemas() { return kSchemas; }
const InstructionSchema& schemaOf(Opcode opcode) { return kSchemas[static_cast<size_t>(opcode)]; }

std::optional<Opcode> opcodeFromName(std::string_view name) {
  for (const InstructionSchema& schema : kSchemas) {
    if (schema.name == name) return schema.opcode;
  }
  return std::nullopt;
}

int argumentIndex(Opcode opcode, std::string_view name) {
  const auto arguments = schemaOf(opcode).arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

Instruction emptyInstruction(Opcode opcode) {
  return Instruction{opcode, std::vector<Argument>(schemaOf(opcode).arguments.size())};
}

}  // namespace np::tile
