"""Two small token files in the layout of nanoGPT's data folder."""

import pickle

import numpy


def make(folder):
    data = folder / "data" / "tiny"
    data.mkdir(parents=True)
    random = numpy.random.default_rng(0)
    for name in ("train", "val"):
        random.integers(0, 64, 4000, dtype=numpy.uint16).tofile(data / f"{name}.bin")
    (data / "meta.pkl").write_bytes(pickle.dumps({"vocab_size": 64}))
