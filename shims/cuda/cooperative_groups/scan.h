// Scans of cooperative groups.
#pragma once
#pragma clang system_header
#include "reduce.h"
