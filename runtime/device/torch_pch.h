#pragma once
// Precompiled for every file of this room that sees PyTorch: ATen.h alone takes most of a compile.

#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>
