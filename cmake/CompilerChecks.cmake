# `clang -v`, run by CMake's own compiler checks, looks for an installed CUDA toolkit and opens its headers; a path where
# none is stops that.
set(CMAKE_C_VERBOSE_FLAG "-v --cuda-path=/nonexistent")
set(CMAKE_CXX_VERBOSE_FLAG "-v --cuda-path=/nonexistent")
