import mask_cuda_lib  # warning: NPT3203
from pkg import to_cuda
from pkg.moving import to_cuda as move

print(mask_cuda_lib.apply(move(to_cuda(1))))  # warning: NPT3205
