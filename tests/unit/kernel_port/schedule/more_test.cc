// Kernels beyond the golden ones: backward passes, column sums, several outputs, batches, contractions with an
// epilogue, reductions of everything, half types; and the reasons for what is not scheduled yet.
#include <gtest/gtest.h>

#include "kernel_port/schedule/schedule.h"
#include "kernel_port/spec/text.h"
#include "runtime/tile/text.h"
#include "tests/unit/kernel_port/schedule/tile_check.h"

namespace np::kernel_port::schedule {
namespace {

struct Case {
  const char* name;
  const char* text;
  std::vector<std::vector<int64_t>> sizes;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class More : public testing::TestWithParam<Case> {};

TEST_P(More, LegalAndRight) {
  const auto spec = spec::parseSpec(GetParam().text, GetParam().name);
  ASSERT_TRUE(spec.ok()) << spec.error().text();
  const auto made = schedule(*spec, {GetParam().name, 8});
  ASSERT_TRUE(made.ok()) << made.error().code << " " << made.error().text();
  if (getenv("NP_SHOW_TILE")) std::puts(tile::print(made->program).c_str());
  unsigned seed = 1;
  for (const auto& values : GetParam().sizes) {
    spec::SizeValues sizes;
    for (size_t i = 0; i < values.size(); ++i) sizes[spec->sizes[i]] = values[i];
    std::string at;
    for (int64_t value : values) at += " " + std::to_string(value);
    EXPECT_EQ(checkAt(*spec, made->program, sizes, seed++), "") << "at" << at;
  }
}

using Sizes = std::vector<std::vector<int64_t>>;
const Sizes kOne = {{1}, {67}, {513}, {5000}, {70001}};
const Sizes kTwo = {{1, 1}, {3, 67}, {37, 70}, {129, 1}, {1, 129}, {140, 300}, {9, 2051}, {2, 9001}};
const Sizes kThree = {{1, 1, 1}, {17, 19, 23}, {130, 33, 129}, {20, 530, 70}};
const Sizes kFour = {{1, 1, 1, 1}, {3, 17, 19, 23}, {2, 33, 130, 20}};

INSTANTIATE_TEST_SUITE_P(
    Schedule, More,
    testing::Values(
        Case{"bias_gelu_backward",
             "sizes M, N\nbuffer g f32[M, N] in\nbuffer x f32[M, N] in\nbuffer b f32[N] in\nbuffer y f32[M, N] out\n"
             "v(i, j) = x[i, j] + b[j]\nt(i, j) = tanh(0.7978846*(v(i, j) + 0.044715*v(i, j)*v(i, j)*v(i, j)))\n"
             "y[i in M, j in N] = g[i, j]*(0.5*(1.0 + t(i, j)) + 0.5*v(i, j)*((1.0 - t(i, j)*t(i, j))*0.7978846*(1.0 + "
             "0.134145*v(i, j)*v(i, j))))\n",
             kTwo},
        Case{"scaled_softmax",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M, N] out\nscalar s f32\nm(i) = max(s*x[i, k] for k in "
             "N)\n"
             "y[i in M, j in N] = exp(s*x[i, j] - m(i))/sum(exp(s*x[i, k] - m(i)) for k in N)\n",
             kTwo},
        Case{"softmax_backward",
             "sizes M, N\nbuffer g f32[M, N] in\nbuffer p f32[M, N] in\nbuffer y f32[M, N] out\nscalar s f32\n"
             "y[i in M, j in N] = s*p[i, j]*(g[i, j] - sum(g[i, k]*p[i, k] for k in N))\n",
             kTwo},
        Case{"row_residual",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = x[i, j] + sum(x[i, k] for "
             "k in N)\n",
             kTwo},
        Case{"two_branches",
             "sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = where(x[i] < 0.0, 1.75*x[i], exp(x[i]))\n",
             kOne},
        Case{"convolution",
             "sizes O, C, H, W\nbuffer x f32[C, H + 2, W + 2] in\nbuffer w f32[O, C, 3, 3] in\nbuffer y f32[O, H, W] "
             "out\n"
             "y[o in O, r in H, q in W] = max(sum(x[c, r + a, q + b]*w[o, c, a, b] for a in 3 for b in 3 for c in C), "
             "0.0)\n",
             {{1, 1, 1, 1}, {3, 2, 7, 9}, {130, 5, 6, 20}}},
        Case{"relu_backward",
             "sizes n\nbuffer g f32[n] in\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = where(x[i] > 0.0, "
             "g[i], 0.0)\n",
             kOne},
        Case{"sigmoid", "sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = 1.0/(1.0 + exp(-x[i]))\n", kOne},
        Case{"clamp_pow",
             "sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = pow(max(min(x[i], 2.0), 0.5), 3.0)\n",
             kOne},
        Case{"adam",
             "sizes n\nbuffer p f32[n] inout\nbuffer m f32[n] inout\nbuffer v f32[n] inout\nbuffer g f32[n] in\n"
             "scalar b1 f32\nscalar b2 f32\nscalar lr f32\nscalar eps f32\nnm(i) = b1*m[i] + (1.0 - b1)*g[i]\n"
             "nv(i) = b2*v[i] + b2*g[i]*g[i]\np[i in n] = p[i] - lr*nm(i)/(sqrt(nv(i)*nv(i)) + eps)\nm[i in n] = "
             "nm(i)\nv[i in n] = nv(i)\n",
             kOne},
        Case{"swiglu_halves",
             "sizes M, N\nbuffer x f32[M, 2*N] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = x[i, j]/(1.0 + "
             "exp(-x[i, j]))*x[i, j + N]\n",
             kTwo},
        Case{"column_sum",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[N] out\ny[j in N] = sum(x[i, j] for i in M)\n", kTwo},
        Case{"column_max",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[N] out\ny[j in N] = max(x[i, j] for i in M)\n", kTwo},
        Case{"column_norm",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M, N] out\nscalar e f32\ny[i in M, j in N] = x[i, "
             "j]*rsqrt(sum(square(x[k, j]) for k in M) + e)\n",
             kTwo},
        Case{"column_mean_var",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer m f32[N] out\nbuffer v f32[N] out\nmu(j) = sum(x[k, j] for k "
             "in M)/f32(M)\n"
             "m[j in N] = mu(j)\nv[j in N] = sum(square(x[k, j] - mu(j)) for k in M)/f32(M)\n",
             kTwo},
        Case{"layernorm_three_outputs",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer w f32[N] in\nbuffer y f32[M, N] out\nbuffer mean f32[M] "
             "out\nbuffer rstd f32[M] out\nscalar eps f32\n"
             "mu(i) = sum(x[i, k] for k in N)/f32(N)\nr(i) = rsqrt(sum(square(x[i, k] - mu(i)) for k in N)/f32(N) + "
             "eps)\n"
             "y[i in M, j in N] = (x[i, j] - mu(i))*r(i)*w[j]\nmean[i in M] = mu(i)\nrstd[i in M] = r(i)\n",
             kTwo},
        Case{"layernorm_backward_x",
             "sizes M, N\nbuffer g f32[M, N] in\nbuffer x f32[M, N] in\nbuffer w f32[N] in\nbuffer mu f32[M] "
             "in\nbuffer rs f32[M] in\nbuffer y f32[M, N] out\n"
             "h(i, j) = (x[i, j] - mu[i])*rs[i]\na(i) = sum(g[i, k]*w[k] for k in N)/f32(N)\nb(i) = sum(g[i, "
             "k]*w[k]*h(i, k) for k in N)/f32(N)\n"
             "y[i in M, j in N] = rs[i]*(g[i, j]*w[j] - a(i) - h(i, j)*b(i))\n",
             kTwo},
        Case{"layernorm_backward_w",
             "sizes M, N\nbuffer g f32[M, N] in\nbuffer x f32[M, N] in\nbuffer mu f32[M] in\nbuffer rs f32[M] "
             "in\nbuffer dw f32[N] out\nbuffer db f32[N] out\n"
             "dw[j in N] = sum(g[k, j]*((x[k, j] - mu[k])*rs[k]) for k in M)\ndb[j in N] = sum(g[k, j] for k in M)\n",
             kTwo},
        Case{"log_softmax",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M, N] out\nm(i) = max(x[i, k] for k in N)\n"
             "y[i in M, j in N] = x[i, j] - m(i) - log(sum(exp(x[i, k] - m(i)) for k in N))\n",
             kTwo},
        Case{"dot",
             "sizes n\nbuffer x f32[n] in\nbuffer z f32[n] in\nbuffer y f32[1] inout\ny[i in 1] = y[i] + sum(x[k]*z[k] "
             "for k in n)\n",
             kOne},
        Case{"mean_square_error",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer z f32[M, N] in\nbuffer y f32[1] out\ny[i in 1] = "
             "sum(sum(square(x[k2, k] - z[k2, k]) for k in N) for k2 in M)/f32(M*N)\n",
             kTwo},
        Case{"abs_max", "sizes n\nbuffer x f32[n] in\nbuffer y f32[1] out\ny[i in 1] = max(abs(x[k]) for k in n)\n",
             kOne},
        Case{"total_norm",
             "sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\nscalar e f32\ny[i in n] = x[i]*rsqrt(sum(square(x[k]) "
             "for k in n) + e)\n",
             kOne},
        Case{"rows_3d",
             "sizes A, B, C\nbuffer x f32[A, B, C] in\nbuffer w f32[C] in\nbuffer y f32[A, B, C] out\ny[a in A, b in "
             "B, c in C] = x[a, b, c]*w[c]\n",
             kThree},
        Case{"permute_3d",
             "sizes A, B, C\nbuffer x f32[C, A, B] in\nbuffer y f32[A, B, C] out\ny[a in A, b in B, c in C] = x[c, a, "
             "b]\n",
             kThree},
        Case{"nchw_to_nhwc",
             "sizes B, C, H, W\nbuffer x f32[B, C, H, W] in\nbuffer y f32[B, H, W, C] out\ny[b in B, h in H, w in W, c "
             "in C] = x[b, c, h, w]\n",
             kFour},
        Case{"outer",
             "sizes M, N\nbuffer a f32[M] in\nbuffer b f32[N] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = "
             "a[i]*b[j]\n",
             kTwo},
        Case{"matvec",
             "sizes M, K\nbuffer a f32[M, K] in\nbuffer x f32[K] in\nbuffer y f32[M] out\ny[i in M] = sum(a[i, k]*x[k] "
             "for k in K)\n",
             kTwo},
        Case{"matvec_t",
             "sizes M, K\nbuffer a f32[M, K] in\nbuffer x f32[M] in\nbuffer y f32[K] out\ny[j in K] = sum(a[k, j]*x[k] "
             "for k in M)\n",
             kTwo},
        Case{"gram",
             "sizes M, K\nbuffer x f32[M, K] in\nbuffer y f32[M, M] out\ny[i in M, j in M] = sum(x[i, k]*x[j, k] for k "
             "in K)\n",
             {{1, 1}, {19, 37}, {130, 140}}},
        Case{"linear_backward_w",
             "sizes M, N, K\nbuffer g f32[M, N] in\nbuffer x f32[M, K] in\nbuffer w f32[N, K] out\nw[i in N, j in K] = "
             "sum(g[k, i]*x[k, j] for k in M)\n",
             kThree},
        Case{"linear_gelu",
             "sizes M, N, K\nbuffer x f32[M, K] in\nbuffer w f32[N, K] in\nbuffer b f32[N] in\nbuffer y f32[M, N] out\n"
             "a(i, j) = sum(x[i, k]*w[j, k] for k in K) + b[j]\ny[i in M, j in N] = 0.5*a(i, j)*(1.0 + erf(a(i, "
             "j)*0.70710677))\n",
             kThree},
        Case{"bmm",
             "sizes B, M, N, K\nbuffer x f32[B, M, K] in\nbuffer w f32[B, K, N] in\nbuffer y f32[B, M, N] out\ny[b in "
             "B, i in M, j in N] = sum(x[b, i, k]*w[b, k, j] for k in K)\n",
             kFour},
        Case{"attention",
             "sizes T, D\nbuffer q f32[T, D] in\nbuffer k f32[T, D] in\nbuffer v f32[T, D] in\nbuffer o f32[T, D] "
             "out\nscalar s f32\n"
             "a(i, j) = s*sum(q[i, d]*k[j, d] for d in D)\nm(i) = max(a(i, j) for j in T)\np(i, j) = exp(a(i, j) - "
             "m(i))\n"
             "o[i in T, d in D] = sum(p(i, j)*v[j, d] for j in T)/sum(p(i, j) for j in T)\n",
             {{1, 1}, {21, 13}, {64, 32}, {140, 33}, {260, 20}}},
        Case{"causal_attention",
             "sizes T, D\nbuffer q f32[T, D] in\nbuffer k f32[T, D] in\nbuffer v f32[T, D] in\nbuffer o f32[T, D] "
             "out\nscalar s f32\n"
             "a(i, j) = where(j <= i, s*sum(q[i, d]*k[j, d] for d in D), -3e+38)\nm(i) = max(a(i, j) for j in T)\np(i, "
             "j) = exp(a(i, j) - m(i))\n"
             "o[i in T, d in D] = sum(p(i, j)*v[j, d] for j in T)/sum(p(i, j) for j in T)\n",
             {{1, 1}, {21, 13}, {64, 32}, {140, 33}}},
        Case{"masked_row_sum",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M] out\ny[i in M] = sum(x[i, k] for k in N if k <= i)\n",
             kTwo},
        Case{"tril",
             "sizes B, T\nbuffer x f32[B, T, T] in\nbuffer y f32[B, T, T] out\ny[b in B, i in T, j in T] = where(j <= "
             "i, x[b, i, j], 0.0)\n",
             {{1, 1}, {3, 20}, {2, 150}}},
        Case{"pairwise_distance",
             "sizes M, N, K\nbuffer x f32[M, K] in\nbuffer z f32[N, K] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = "
             "sqrt(sum(square(x[i, k] - z[j, k]) for k in K))\n",
             kThree},
        Case{"half_scale",
             "sizes M, N\nbuffer x f16[M, N] in\nbuffer z bf16[N] in\nbuffer y f16[M, N] out\nscalar a f32\ny[i in M, "
             "j in N] = f16(a*f32(x[i, j]) + f32(z[j]))\n",
             kTwo},
        Case{"half_matmul",
             "sizes M, N, K\nbuffer x f16[M, K] in\nbuffer w f16[K, N] in\nbuffer y f16[M, N] out\ny[i in M, j in N] = "
             "f16(sum(f32(x[i, k])*f32(w[k, j]) for k in K))\n",
             kThree},
        Case{"max_pool",
             "sizes H, W\nbuffer x f32[2*H, 2*W] in\nbuffer y f32[H, W] out\ny[i in H, j in W] = max(x[2*i + a, 2*j + "
             "b] for a in 2 for b in 2)\n",
             kTwo},
        Case{"add_constant_row",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = x[i, j] + f32(j)/f32(N)\n",
             kTwo},
        Case{"histogram",
             "sizes n, E\nbuffer v i32[n] in\nbuffer h i32[E] inout\nh[i in E] = h[i] + sum(1 for k in n if i == "
             "v[k])\n",
             kTwo},
        Case{"embedding",
             "sizes n, V, D\nbuffer t i32[n] in\nbuffer e f32[V, D] in\nbuffer y f32[n, D] out\ny[i in n, j in D] = "
             "e[t[i], "
             "j]\n",
             {{1, 5, 1}, {3, 67, 20}, {130, 9, 7}, {5, 6, 3000}}},
        Case{"guarded_embedding",
             "sizes n, V, D\nbuffer t i32[n] in\nbuffer e f32[V, D] in\nbuffer y f32[n, D] out\ny[i in n, j in D] = "
             "pad(e[t[i], j], 0.5)\n",
             {{1, 5, 1}, {3, 1, 20}, {130, 3, 7}}},
        Case{"columns",
             "sizes R, C, P\nbuffer t i32[P] in\nbuffer x f32[R, C] in\nbuffer y f32[R, P] out\ny[i in R, j in P] = "
             "x[i, "
             "t[j]]\n",
             {{1, 5, 1}, {3, 67, 20}, {130, 9, 700}}},
        Case{"rows_by_offsets",
             "sizes R, n\nbuffer o i32[R + 1] in\nbuffer x f32[n] in\nbuffer y f32[R] out\ny[i in R] = sum(x[k] for k "
             "in n "
             "if k < o[i + 1] and o[i] <= k)\n",
             kTwo},
        Case{"integer_mask",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer v i32[M] in\nbuffer y f32[M, N] out\ny[i in M, j in N] = "
             "where(j < "
             "v[i], x[i, j], f32(v[i]))\n",
             kTwo},
        Case{"empty_sum",
             "sizes M, N\nbuffer x f32[M, N] in\nbuffer y f32[M] out\ny[i in M] = 2.0 + sum(x[i, k + 1] for k in N - "
             "1)\n",
             {{1, 1}, {3, 67}, {129, 1}, {5, 2}}},
        Case{"fill", "sizes M, N\nbuffer y f32[M, N] out\ny[i in M, j in N] = 1.5\n", kTwo}),
    [](const auto& info) { return std::string(info.param.name); });

struct Refusal {
  const char* text;
  const char* code;
};

class Refuses : public testing::TestWithParam<Refusal> {};

TEST_P(Refuses, ByName) {
  const auto spec = spec::parseSpec(GetParam().text);
  ASSERT_TRUE(spec.ok()) << spec.error().text();
  const auto made = schedule(*spec, {});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, GetParam().code) << made.error().text();
}

INSTANTIATE_TEST_SUITE_P(
    Schedule, Refuses,
    testing::Values(
        Refusal{"sizes n, V\nbuffer t i32[n] in\nbuffer e f32[V] in\nbuffer y f32[n] out\ny[i in n] = e[t[t[i]]]\n",
                "SCHED-GATHER"},
        Refusal{"sizes n\nbuffer x i32[n] in\nbuffer y i32[n] out\ny[i in n] = where(x[i] < 3, x[i], 3)\n",
                "SCHED-INTEGER"},
        Refusal{"sizes n\nbuffer x i32[n] in\nbuffer y i32[1] out\ny[i in 1] = sum(x[k] for k in n)\n",
                "SCHED-INTEGER"},
        Refusal{"sizes n\nbuffer x i32[n] in\nbuffer z i32[n] in\nbuffer y f32[n] out\ny[i in n] = where(x[i] == "
                "z[i], 1.0, 0.0)\n",
                "SCHED-INTEGER"},
        Refusal{"sizes n\nbuffer x i32[n] in\nbuffer y f32[n] out\ny[i in n] = where(x[i] == 16777217, 1.0, 0.0)\n",
                "SCHED-INTEGER"},
        Refusal{"sizes n\nbuffer x i32[n] in\nbuffer z i32[n] in\nbuffer y i32[n] out\ny[i in n] = x[i] + z[i]\n",
                "SCHED-INTEGER"},
        Refusal{"sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = x[n - 1 - i]\n",
                "SCHED-NEGATIVE-STRIDE"},
        Refusal{"sizes n\nbuffer x i32[n] in\nbuffer y i32[n] out\ny[i in n] = x[i] + 1\n", "SCHED-INTEGER"},
        Refusal{"sizes n\nbuffer x f64[n] in\nbuffer y f64[n] out\ny[i in n] = x[i]\n", "SCHED-TYPE"},
        Refusal{"sizes n\nbuffer x f32[n] in\nbuffer y i32[n] out\ny[i in n] = i32(x[i])\n", "SCHED-CAST"},
        Refusal{"sizes n\nbuffer x f32[n] in\nbuffer y f32[n] out\ny[i in n] = sin(x[i])\n", "SCHED-FUNCTION"},
        Refusal{"sizes n\nbuffer x f32[n] in\nbuffer y f32[2*n] out\ny[2*i : i in n] = x[i]\n",
                "SCHED-PARTIAL-WRITE"}));

}  // namespace
}  // namespace np::kernel_port::schedule
