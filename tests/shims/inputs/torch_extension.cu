// A PyTorch extension of the usual shape: checks, guard, dispatch, accessors, launch, autograd, three kinds of binding.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <ATen/cuda/Atomic.cuh>
#include <ATen/cuda/detail/TensorInfo.cuh>

#define CHECK_INPUT(x) TORCH_CHECK(x.is_cuda() && x.is_contiguous(), #x " must be a contiguous CUDA tensor")

template <typename scalar_t>
__global__ void scale(const scalar_t* __restrict__ x, scalar_t* y, int64_t n,
                      torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> a,
                      at::cuda::detail::TensorInfo<scalar_t, int> info) {
  using opmath_t = at::opmath_type<scalar_t>;
  CUDA_KERNEL_LOOP(i, n) {
    opmath_t v = static_cast<opmath_t>(x[i]) * opmath_t(2);
    y[i] = static_cast<scalar_t>(v) + a[i % a.size(0)][0];
    gpuAtomicAdd(&y[at::cuda::detail::IndexToOffset<scalar_t, int, -1>::get(i, info)], x[i]);
    if (x[i] > scalar_t(0)) a[i][1] = scalar_t(std::exp(v));
  }
}

torch::Tensor forward(torch::Tensor x, c10::optional<torch::Tensor> bias, double alpha) {
  CHECK_INPUT(x);
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  auto y = torch::empty({x.size(0), x.size(1)}, x.options().dtype(torch::kFloat32));
  auto z = torch::zeros_like(x);
  const int threads = 256;
  const dim3 blocks((x.numel() + threads - 1) / threads);
  AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::ScalarType::BFloat16, x.scalar_type(), "scale", [&] {
    scale<scalar_t><<<blocks, threads, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), x.numel(),
        z.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(),
        at::cuda::detail::getTensorInfo<scalar_t, int>(x));
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  auto [values, indices] = y.max(1);
  if (bias.has_value()) y.add_(bias.value());
  return torch::cat({y.view({-1, 2}).sum(1) * alpha, values}, 0).masked_fill_(indices > 2, 0.0);
}

class Scale : public torch::autograd::Function<Scale> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, torch::Tensor x, double alpha) {
    ctx->save_for_backward({x});
    ctx->saved_data["alpha"] = alpha;
    return ::forward(x, c10::nullopt, alpha);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    auto saved = ctx->get_saved_variables();
    return {grads[0] * ctx->saved_data["alpha"].toDouble() * saved[0], torch::Tensor()};
  }
};
torch::Tensor scaled(torch::Tensor x, double alpha) { return Scale::apply(x, alpha); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.doc() = "scales";
  m.def("forward", &forward, "forward", py::arg("x"), py::arg("bias") = py::none(), py::arg("alpha") = 1.0);
  py::class_<std::vector<int>>(m, "Ints").def(py::init<>()).def("size", &std::vector<int>::size);
}
TORCH_LIBRARY(scales, m) { m.def("forward(Tensor x, Tensor? bias, float alpha) -> Tensor"); }
TORCH_LIBRARY_IMPL(scales, CUDA, m) { m.impl("forward", &forward); }
TORCH_LIBRARY_IMPL(scales, Autograd, m) { m.impl("scaled", TORCH_FN(scaled)); }
static auto registry = torch::RegisterOperators().op("scales::scaled", &scaled);
