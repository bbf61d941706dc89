// Names of tensor operations that return one tensor. Each becomes a method and a function in namespace at, for any
// arguments: analysis needs names and result types, not overload checking. NAME_ is the in-place form.
#pragma once
#pragma clang system_header

// clang-format off
#define NP_TENSOR_OPS(F) \
  F(abs) F(absolute) F(acos) F(acosh) F(add) F(addbmm) F(addcdiv) F(addcmul) F(addmm) F(addmv) F(addr) F(all) \
  F(allclose_tensor) F(amax) F(amin) F(angle) F(any) F(argmax) F(argmin) F(argsort) F(argwhere) F(as_strided) \
  F(asin) F(asinh) F(atan) F(atan2) F(atanh) F(avg_pool2d) F(baddbmm) F(bernoulli) F(bincount) F(bitwise_and) \
  F(bitwise_left_shift) F(bitwise_not) F(bitwise_or) F(bitwise_right_shift) F(bitwise_xor) F(block_diag) F(bmm) \
  F(broadcast_to) F(bucketize) F(cdist) F(ceil) F(celu) F(cholesky) F(clamp) F(clamp_max) F(clamp_min) F(clip) \
  F(clone) F(coalesce) F(complex) F(conj) F(constant_pad_nd) F(contiguous) F(conv1d) F(conv2d) F(conv3d) \
  F(convolution) F(copysign) F(corrcoef) F(cos) F(cosh) F(count_nonzero) F(cross) F(cumprod) F(cumsum) F(deg2rad) \
  F(det) F(detach) F(diag) F(diag_embed) F(diagonal) F(diff) F(digamma) F(dist) F(div) F(divide) F(dot) F(dropout) \
  F(einsum) F(elu) F(embedding) F(eq) F(erf) F(erfc) F(erfinv) F(exp) F(exp2) F(expand_as) F(expm1) F(fill) \
  F(flatten) F(flip) F(float_power) F(floor) F(floor_divide) F(fmax) F(fmin) F(fmod) F(frac) F(gather) F(ge) \
  F(gelu) F(glu) F(greater) F(group_norm) F(gt) F(hardshrink) F(hardsigmoid) F(hardswish) F(hardtanh) F(heaviside) \
  F(histc) F(hypot) F(imag) F(index_add) F(index_copy) F(index_fill) F(index_put) F(index_select) F(indices) \
  F(inner) F(instance_norm) F(inverse) F(isclose) F(isfinite) F(isinf) F(isnan) F(kron) F(l1_loss) F(layer_norm) \
  F(le) F(leaky_relu) F(lerp) F(less) F(lgamma) F(linear) F(log) F(log10) F(log1p) F(log2) F(log_sigmoid) \
  F(log_softmax) F(logaddexp) F(logical_and) F(logical_not) F(logical_or) F(logical_xor) F(logit) F(logsumexp) \
  F(lt) F(masked_fill) F(masked_scatter) F(masked_select) F(matmul) F(matrix_exp) F(max_pool2d) F(maximum) F(mean) \
  F(minimum) F(mish) F(mm) F(movedim) F(mse_loss) F(mul) F(multinomial) F(multiply) F(mv) F(nan_to_num) F(nansum) \
  F(narrow) F(native_norm) F(ne) F(neg) F(negative) F(nonzero) F(norm) F(not_equal) F(one_hot) F(outer) F(pad) \
  F(pinverse) F(pixel_shuffle) F(polar) F(pow) F(prelu) F(prod) F(put) F(quantile) F(rad2deg) F(real) \
  F(reciprocal) F(reflection_pad1d) F(reflection_pad2d) F(relu) F(relu6) F(remainder) F(renorm) \
  F(repeat_interleave) F(reshape_as) F(resolve_conj) F(roll) F(rot90) F(round) F(rsqrt) F(rsub) \
  F(scaled_dot_product_attention) F(scatter) F(scatter_add) F(scatter_reduce) F(searchsorted) F(select) \
  F(select_scatter) F(selu) F(sgn) F(sigmoid) F(sign) F(signbit) F(silu) F(sin) F(sinc) F(sinh) F(slice) \
  F(slice_scatter) F(smooth_l1_loss) F(softmax) F(softplus) F(softshrink) F(sparse_mask) F(sqrt) F(square) \
  F(squeeze) F(std) F(sub) F(subtract) F(swapaxes) F(swapdims) F(t) F(take) F(take_along_dim) F(tan) F(tanh) \
  F(tensordot) F(threshold) F(to_dense) F(to_sparse) F(trace) F(transpose) F(trapz) F(tril) F(triu) F(true_divide) \
  F(trunc) F(unflatten) F(unfold) F(unsqueeze) F(upsample_bilinear2d) F(upsample_nearest2d) F(values) F(vander) \
  F(var) F(vdot) F(view_as) F(view_as_complex) F(view_as_real) F(vstack_tensor) F(xlogy)

// In-place operations without such a form.
#define NP_TENSOR_INPLACE_OPS(F) \
  F(cauchy_) F(copy_) F(exponential_) F(fill_diagonal_) F(geometric_) F(log_normal_) F(normal_) F(random_) \
  F(requires_grad_) F(uniform_) F(zero_)
// clang-format on
