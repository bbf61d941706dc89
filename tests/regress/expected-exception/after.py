# What must raise today must still raise.
import torch


def test_refuses(model, case):
    with case.assertRaises(RuntimeError):
        model.cuda()
