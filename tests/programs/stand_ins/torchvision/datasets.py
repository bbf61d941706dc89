"""Data sets drawn from a fixed seed in place of downloaded ones, with the attributes of torchvision's."""

import torch


class MNIST(torch.utils.data.Dataset):
    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        drawn = torch.Generator().manual_seed(11)
        self.data = torch.randint(0, 256, (160, 28, 28), dtype=torch.uint8, generator=drawn)
        self.targets = torch.arange(160) % 10
        self.transform, self.target_transform = transform, target_transform

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        image, target = self.data[index], int(self.targets[index])
        return (self.transform(image) if self.transform else image, self.target_transform(target) if self.target_transform else target)
