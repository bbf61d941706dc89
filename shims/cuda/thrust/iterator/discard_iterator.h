// Stands in for the header of this name; the declarations are in np_thrust/iterators.h.
#pragma once
#pragma clang system_header
#include "../np_thrust/iterators.h"
