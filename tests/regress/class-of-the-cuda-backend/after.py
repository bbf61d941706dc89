# A class that implements the CUDA side of something stays CUDA's.
import torch


class CUDA_Backend:
    def device_name(self, index=None):
        return "cuda" if index is None else "cuda:{}".format(index)

    def set_device(self, index):
        torch.cuda.set_device(index)
