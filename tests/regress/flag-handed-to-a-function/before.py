# The flag is followed into the function that it is handed to.
import torch


def train(model, batches, use_cuda):
    for batch in batches:
        if use_cuda:
            batch = batch.cuda()
        model(batch)


def main(model, batches):
    use_cuda = torch.cuda.is_available()
    train(model, batches, use_cuda)
    train(model, batches, use_cuda=use_cuda)
