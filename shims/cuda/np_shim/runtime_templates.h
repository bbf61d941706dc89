// The typed forms of runtime functions: pointers to T instead of void, symbols and kernels by name.
#pragma once
#pragma clang system_header
#include "../driver_types.h"

template <class Type>
inline cudaError_t cudaMalloc(Type** address, size_t size) {
  return cudaMalloc((void**)address, size);
}
template <class Type>
inline cudaError_t cudaMallocHost(Type** address, size_t size, unsigned int flags = 0) {
  return cudaMallocHost((void**)address, size, flags);
}
template <class Type>
inline cudaError_t cudaHostAlloc(Type** address, size_t size, unsigned int flags) {
  return cudaHostAlloc((void**)address, size, flags);
}
template <class Type>
inline cudaError_t cudaMallocManaged(Type** address, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void**)address, size, flags);
}
template <class Type>
inline cudaError_t cudaMallocPitch(Type** address, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch((void**)address, pitch, width, height);
}
template <class Type>
inline cudaError_t cudaMallocAsync(Type** address, size_t size, cudaStream_t stream) {
  return cudaMallocAsync((void**)address, size, stream);
}
template <class Type>
inline cudaError_t cudaHostGetDevicePointer(Type** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer((void**)device, host, flags);
}
template <class Symbol>
inline cudaError_t cudaMemcpyToSymbol(const Symbol& symbol, const void* from, size_t count, size_t offset = 0,
                                      enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void*)&symbol, from, count, offset, kind);
}
template <class Symbol>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const Symbol& symbol, size_t count, size_t offset = 0,
                                        enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void*)&symbol, count, offset, kind);
}
template <class Symbol>
inline cudaError_t cudaMemcpyToSymbolAsync(const Symbol& symbol, const void* from, size_t count, size_t offset,
                                           enum cudaMemcpyKind kind, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void*)&symbol, from, count, offset, kind, stream);
}
template <class Symbol>
inline cudaError_t cudaGetSymbolAddress(void** address, const Symbol& symbol) {
  return cudaGetSymbolAddress(address, (const void*)&symbol);
}
template <class Symbol>
inline cudaError_t cudaGetSymbolSize(size_t* size, const Symbol& symbol) {
  return cudaGetSymbolSize(size, (const void*)&symbol);
}
template <class Function>
inline cudaError_t cudaLaunchKernel(Function* function, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                    cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void*)function, grid, block, arguments, shared, stream);
}
template <class Function>
inline cudaError_t cudaLaunchCooperativeKernel(Function* function, dim3 grid, dim3 block, void** arguments,
                                               size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void*)function, grid, block, arguments, shared, stream);
}
template <class... Parameters, class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*function)(Parameters...),
                                      Arguments&&... arguments) {
  void* addresses[] = {(void*)&arguments..., nullptr};
  return cudaLaunchKernelExC(config, (const void*)function, addresses);
}
template <class Function>
inline cudaError_t cudaFuncSetAttribute(Function* function, enum cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute((const void*)function, attribute, value);
}
template <class Function>
inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, Function* function) {
  return cudaFuncGetAttributes(attributes, (const void*)function);
}
template <class Function>
inline cudaError_t cudaFuncSetCacheConfig(Function* function, enum cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void*)function, config);
}
template <class Function>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function* function, int block_size,
                                                                 size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)function, block_size, shared);
}
template <class Function>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, Function function, size_t shared = 0,
                                               int limit = 0);
template <class Function, class SharedOfBlock>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, Function function,
                                                           SharedOfBlock shared, int limit = 0);
template <class Type>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaChannelFormatDesc{int(8 * sizeof(Type)), 0, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return cudaChannelFormatDesc{x, y, z, w, f};
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) { return {width, height, depth}; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void* ptr, size_t pitch, size_t xsize, size_t ysize) {
  return {ptr, pitch, xsize, ysize};
}
