# libtorch of the project's .venv, as the imported target np_torch_cpu: headers, libtorch_cpu and c10 only.
# Torch's own CMake package is not used: it pulls in every library and, on some builds, asks for CUDA.
set(NP_VENV ${CMAKE_SOURCE_DIR}/.venv CACHE PATH "virtual environment with torch (CPU build)")
file(GLOB NP_TORCH_ROOT ${NP_VENV}/lib/python3*/site-packages/torch)
set(TorchCpu_FOUND OFF)
if(NP_TORCH_ROOT AND EXISTS ${NP_TORCH_ROOT}/lib/libtorch_cpu.so)
  set(TorchCpu_FOUND ON)
  add_library(np_torch_cpu INTERFACE)
  target_include_directories(np_torch_cpu SYSTEM INTERFACE ${NP_TORCH_ROOT}/include
                                                           ${NP_TORCH_ROOT}/include/torch/csrc/api/include)
  target_link_libraries(np_torch_cpu INTERFACE ${NP_TORCH_ROOT}/lib/libtorch_cpu.so ${NP_TORCH_ROOT}/lib/libc10.so)
  execute_process(COMMAND ${NP_VENV}/bin/python -c "import sysconfig; print(sysconfig.get_paths()['include'], end='')"
                  OUTPUT_VARIABLE NP_PYTHON_INCLUDE)
endif()
