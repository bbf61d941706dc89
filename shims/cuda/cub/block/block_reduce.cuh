// Stands in for the header of this name; the declarations are in np_cub/reduce_scan.h.
#pragma once
#pragma clang system_header
#include "../np_cub/reduce_scan.h"
