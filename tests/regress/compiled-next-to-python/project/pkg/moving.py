def to_cuda(x):
    return x
