// Stands in for the header of this name; the declarations are in np_thrust/vectors.h.
#pragma once
#pragma clang system_header
#include "np_thrust/vectors.h"
