// LSTM and GRU cells. For accelerators PyTorch's RNN layers call a fused cell that has no CPU kernel, so the device
// must compute it. The formulas are the usual ones; gates are packed i, f, g, o (LSTM) and r, z, n (GRU), as PyTorch
// packs weights. Results agree with the CPU's unfused path to rounding, not bit for bit: the biases are added in
// another order.

#include <ATen/ATen.h>

#include "runtime/device/coverage.h"
#include "runtime/device/frame.h"
#include "runtime/device/native_ops.h"

namespace np::device {
namespace {

using at::Tensor;
using OptionalTensor = std::optional<Tensor>;

void count(const char* op) { coverage().record(op).count(); }

Tensor plusBias(const Tensor& gates, const OptionalTensor& bias) {
  return bias && bias->defined() ? gates + *bias : gates;
}

Tensor orZeros(const OptionalTensor& gradient, const Tensor& like) {
  return gradient && gradient->defined() ? *gradient : at::zeros_like(like);
}

std::tuple<Tensor, Tensor, Tensor> lstmForward(const Tensor& input_gates, const Tensor& hidden_gates,
                                               const Tensor& cell, const OptionalTensor& input_bias,
                                               const OptionalTensor& hidden_bias) {
  count("aten::_thnn_fused_lstm_cell");
  Frame frame;
  const Tensor from_input = frame.alias(input_gates, false), from_hidden = frame.alias(hidden_gates, false),
               c = frame.alias(cell, false);
  const OptionalTensor bi = frame.alias(input_bias), bh = frame.alias(hidden_bias);
  Tensor hidden_out, cell_out, workspace;
  {
    KernelScope scope(frame.device());
    const auto gates = at::unsafe_chunk(plusBias(from_hidden, bh) + plusBias(from_input, bi), 4, 1);
    const Tensor i = gates[0].sigmoid(), f = gates[1].sigmoid(), g = gates[2].tanh(), o = gates[3].sigmoid();
    cell_out = (f * c).add_(i * g);
    hidden_out = o * cell_out.tanh();
    workspace = at::cat({i, f, g, o}, 1);
  }
  return {frame.adopt(hidden_out), frame.adopt(cell_out), frame.adopt(workspace)};
}

std::tuple<Tensor, Tensor, Tensor> lstmBackward(const OptionalTensor& for_hidden, const OptionalTensor& for_cell,
                                                const Tensor& cell, const Tensor& cell_out, const Tensor& workspace,
                                                bool has_bias) {
  count("aten::_thnn_fused_lstm_cell_backward_impl");
  Frame frame;
  const Tensor c = frame.alias(cell, false), c_out = frame.alias(cell_out, false),
               gates = frame.alias(workspace, false);
  const OptionalTensor dh_given = frame.alias(for_hidden), dc_given = frame.alias(for_cell);
  Tensor for_gates, for_cell_in, for_bias;
  {
    KernelScope scope(frame.device());
    const auto parts = at::unsafe_chunk(gates, 4, 1);
    const Tensor &i = parts[0], &f = parts[1], &g = parts[2], &o = parts[3];
    const Tensor t = c_out.tanh(), dh = orZeros(dh_given, c_out);
    const Tensor dc = orZeros(dc_given, c_out) + dh * o * (1 - t * t);
    for_gates = at::cat({dc * g * i * (1 - i), dc * c * f * (1 - f), dc * i * (1 - g * g), dh * t * o * (1 - o)}, 1);
    for_cell_in = dc * f;
    if (has_bias) for_bias = for_gates.sum(0);
  }
  return {frame.adopt(for_gates), frame.adopt(for_cell_in), frame.adopt(for_bias)};
}

std::tuple<Tensor, Tensor> gruForward(const Tensor& input_gates, const Tensor& hidden_gates, const Tensor& hidden,
                                      const OptionalTensor& input_bias, const OptionalTensor& hidden_bias) {
  count("aten::_thnn_fused_gru_cell");
  Frame frame;
  const Tensor from_input = frame.alias(input_gates, false), from_hidden = frame.alias(hidden_gates, false),
               h = frame.alias(hidden, false);
  const OptionalTensor bi = frame.alias(input_bias), bh = frame.alias(hidden_bias);
  Tensor hidden_out, workspace;
  {
    KernelScope scope(frame.device());
    const auto in = at::unsafe_chunk(plusBias(from_input, bi), 3, 1);
    const auto hid = at::unsafe_chunk(plusBias(from_hidden, bh), 3, 1);
    const Tensor r = (hid[0] + in[0]).sigmoid(), z = (hid[1] + in[1]).sigmoid(), n = (in[2] + r * hid[2]).tanh();
    hidden_out = (h - n) * z + n;
    workspace = at::cat({r, z, n, h, hid[2]}, 1);
  }
  return {frame.adopt(hidden_out), frame.adopt(workspace)};
}

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> gruBackward(const Tensor& for_hidden, const Tensor& workspace,
                                                               bool has_bias) {
  count("aten::_thnn_fused_gru_cell_backward");
  Frame frame;
  const Tensor dh = frame.alias(for_hidden, false), saved = frame.alias(workspace, false);
  Tensor for_input, for_hidden_gates, for_hidden_in, for_input_bias, for_hidden_bias;
  {
    KernelScope scope(frame.device());
    const auto parts = at::unsafe_chunk(saved, 5, 1);
    const Tensor &r = parts[0], &z = parts[1], &n = parts[2], &h = parts[3], &hidden_n = parts[4];
    const Tensor dn = dh * (1 - z) * (1 - n * n), dz = dh * (h - n) * z * (1 - z), dr = dn * hidden_n * r * (1 - r);
    for_input = at::cat({dr, dz, dn}, 1);
    for_hidden_gates = at::cat({dr, dz, dn * r}, 1);
    for_hidden_in = dh * z;
    if (has_bias) {
      for_input_bias = for_input.sum(0);
      for_hidden_bias = for_hidden_gates.sum(0);
    }
  }
  return {frame.adopt(for_input), frame.adopt(for_hidden_gates), frame.adopt(for_hidden_in),
          frame.adopt(for_input_bias), frame.adopt(for_hidden_bias)};
}

}  // namespace

void registerRnnCells(torch::Library& aten) {
  aten.impl("_thnn_fused_lstm_cell", TORCH_FN(lstmForward));
  aten.impl("_thnn_fused_lstm_cell_backward_impl", TORCH_FN(lstmBackward));
  aten.impl("_thnn_fused_gru_cell", TORCH_FN(gruForward));
  aten.impl("_thnn_fused_gru_cell_backward", TORCH_FN(gruBackward));
}

}  // namespace np::device
