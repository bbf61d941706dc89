// Run-time compilation: no declarations are needed so far.
#pragma once
#pragma clang system_header
#include "cuda.h"
