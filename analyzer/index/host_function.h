// The type lives with the facts that carry it; this path stays for those who take it from the index.
#pragma once

#include "analyzer/cuda/host_function.h"  // IWYU pragma: export
