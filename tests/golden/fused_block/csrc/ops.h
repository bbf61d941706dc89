#pragma once
#include <torch/extension.h>

torch::Tensor bias_gelu_forward(torch::Tensor x, torch::Tensor bias);
torch::Tensor bias_gelu_backward(torch::Tensor grad_y, torch::Tensor x, torch::Tensor bias);
torch::Tensor scaled_softmax_forward(torch::Tensor x, double scale);
torch::Tensor scaled_softmax_backward(torch::Tensor grad_y, torch::Tensor y, double scale);

#define CHECK_INPUT(t)                                             \
  TORCH_CHECK((t).is_cuda(), #t " must be a CUDA tensor");         \
  TORCH_CHECK((t).is_contiguous(), #t " must be contiguous");      \
  TORCH_CHECK((t).scalar_type() == torch::kFloat, #t " must be float32")
