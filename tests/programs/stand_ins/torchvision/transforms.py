"""Transforms of one byte image, height by width, held as a tensor (torchvision's take PIL images, which these data sets do not make)."""

import torch


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, image):
        for transform in self.transforms:
            image = transform(image)
        return image


class Resize:
    """To a square of `size`, by the nearest pixel."""

    def __init__(self, size):
        self.size = size

    def __call__(self, image):
        rows = torch.arange(self.size) * image.shape[0] // self.size
        columns = torch.arange(self.size) * image.shape[1] // self.size
        return image[rows][:, columns]


class ToTensor:
    def __call__(self, image):
        return image.to(torch.float32).div(255).unsqueeze(0)


class Normalize:
    def __init__(self, mean, std):
        self.mean, self.std = (torch.tensor(values).view(-1, 1, 1) for values in (mean, std))

    def __call__(self, image):
        return (image - self.mean) / self.std
