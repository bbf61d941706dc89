#include "ops.h"

TORCH_LIBRARY(fused_block, m) {
  m.def("bias_gelu_forward(Tensor x, Tensor bias) -> Tensor");
  m.def("bias_gelu_backward(Tensor grad_y, Tensor x, Tensor bias) -> Tensor");
  m.def("scaled_softmax_forward(Tensor x, float scale) -> Tensor");
  m.def("scaled_softmax_backward(Tensor grad_y, Tensor y, float scale) -> Tensor");
}

TORCH_LIBRARY_IMPL(fused_block, CUDA, m) {
  m.impl("bias_gelu_forward", &bias_gelu_forward);
  m.impl("bias_gelu_backward", &bias_gelu_backward);
  m.impl("scaled_softmax_forward", &scaled_softmax_forward);
  m.impl("scaled_softmax_backward", &scaled_softmax_backward);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}
