// Upstream's TORCH_CHECK is an `if` and AT_ASSERTM a statement that wants its semicolon; both occur in published code.
// Standard headers that upstream brings along are used without an include.
#include <torch/extension.h>

#define CHECK_SHAPE(x, n) TORCH_CHECK(x.size(0) == n, "wrong size of ", #x)

std::unordered_set<int64_t> seen(const torch::Tensor& x) {
  std::unordered_set<int64_t> out;
  TORCH_CHECK(x.dim() == 1, "one dimension")
  CHECK_SHAPE(x, 4)
  if (x.numel() > 0)
    AT_ASSERTM(x.is_contiguous(), "contiguous");
  else
    TORCH_CHECK(false);
  std::set<int64_t> sorted(out.begin(), out.end());
  std::deque<int> order;
  std::cerr << std::setw(3) << sorted.size() + order.size() << std::endl;
  return out;
}
