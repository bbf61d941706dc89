import torch
from torch.cuda.amp import custom_bwd, custom_fwd


class _BiasGelu(torch.autograd.Function):
    @staticmethod
    @custom_fwd(cast_inputs=torch.float32)
    def forward(ctx, x, bias):
        shape = x.shape
        x = x.reshape(-1, shape[-1]).contiguous()
        ctx.save_for_backward(x, bias)
        ctx.shape = shape
        return torch.ops.fused_block.bias_gelu_forward(x, bias).reshape(shape)

    @staticmethod
    @custom_bwd
    def backward(ctx, grad_y):
        x, bias = ctx.saved_tensors
        grad_y = grad_y.reshape(x.shape).contiguous()
        grad_x = torch.ops.fused_block.bias_gelu_backward(grad_y, x, bias)
        return grad_x.reshape(ctx.shape), grad_x.sum(0)


class _ScaledSoftmax(torch.autograd.Function):
    @staticmethod
    @custom_fwd(cast_inputs=torch.float32)
    def forward(ctx, x, scale):
        shape = x.shape
        y = torch.ops.fused_block.scaled_softmax_forward(x.reshape(-1, shape[-1]).contiguous(), scale)
        ctx.save_for_backward(y)
        ctx.scale = scale
        return y.reshape(shape)

    @staticmethod
    @custom_bwd
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        shape = grad_y.shape
        grad_y = grad_y.reshape(y.shape).contiguous()
        return torch.ops.fused_block.scaled_softmax_backward(grad_y, y, ctx.scale).reshape(shape), None


def bias_gelu(x, bias):
    """gelu(x + bias), tanh form. x: [..., C], bias: [C]."""
    return _BiasGelu.apply(x, bias)


def scaled_softmax(x, scale=1.0):
    """softmax(scale * x) over the last dimension."""
    return _ScaledSoftmax.apply(x, scale)
