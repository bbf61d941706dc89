import importlib

import torch


def try_import(name):
    try:
        return importlib.import_module(name), ""
    except ImportError as error:
        return None, str(error)


bnb, problem = try_import("bitsandbytes")  # hint: NPT3201
tile_cuda, why = try_import("tile_cuda")
yaml, reason = try_import("yaml")
count, rest = divmod(7, 2)


def forward(x):
    if tile_cuda is None:
        raise RuntimeError(why)
    return tile_cuda.multiply(x)  # warning: NPT3205


def layer():
    print(yaml.dump({"n": count}))
    return bnb.nn.Linear8bitLt(4, 4)  # warning: NPT3205
