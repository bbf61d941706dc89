"""Small token files in the layout of nanoGPT's data folder."""

import pickle

import numpy


def make(folder):
    random = numpy.random.default_rng(0)
    for name in ("tiny", "openwebtext"):
        data = folder / "data" / name
        data.mkdir(parents=True, exist_ok=True)
        for split in ("train", "val"):
            random.integers(0, 64, 4000, dtype=numpy.uint16).tofile(data / f"{split}.bin")
    (folder / "data" / "tiny" / "meta.pkl").write_bytes(pickle.dumps({"vocab_size": 64}))
