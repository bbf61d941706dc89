# An early exit in setUp guards every test of the class.
import unittest

import torch


class AddTest(unittest.TestCase):
    def setUp(self):
        if not torch.accelerator.is_available():
            raise unittest.SkipTest("no CUDA")

    def test_add(self):
        x = torch.zeros(2).to(torch.accelerator.current_accelerator(check_available=True))
        self.assertEqual(x.sum(), 0)
