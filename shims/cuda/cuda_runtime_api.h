// Host functions of the CUDA runtime. Those that device code may call as well are marked so.
#pragma once
#pragma clang system_header
#include "driver_types.h"
#include "library_types.h"
#include "texture_types.h"

#define NP_API extern "C" cudaError_t
#define NP_API_BOTH extern "C" __host__ __device__ cudaError_t

// Errors, device, limits.
NP_API_BOTH cudaGetLastError(void);
NP_API_BOTH cudaPeekAtLastError(void);
extern "C" __host__ __device__ const char* cudaGetErrorString(cudaError_t error);
extern "C" __host__ __device__ const char* cudaGetErrorName(cudaError_t error);
NP_API_BOTH cudaGetDeviceCount(int* count);
NP_API_BOTH cudaGetDevice(int* device);
NP_API_BOTH cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int device);
NP_API_BOTH cudaDeviceSynchronize(void);
NP_API_BOTH cudaDeviceGetLimit(size_t* value, enum cudaLimit limit);
NP_API cudaSetDevice(int device);
NP_API cudaSetDeviceFlags(unsigned int flags);
NP_API cudaGetDeviceFlags(unsigned int* flags);
NP_API cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
NP_API cudaGetDeviceProperties(struct cudaDeviceProp* properties, int device);
NP_API cudaChooseDevice(int* device, const struct cudaDeviceProp* properties);
NP_API cudaDeviceReset(void);
NP_API cudaThreadSynchronize(void);
NP_API cudaThreadExit(void);
NP_API cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
NP_API cudaDeviceSetCacheConfig(enum cudaFuncCache config);
NP_API cudaDeviceGetCacheConfig(enum cudaFuncCache* config);
NP_API cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
NP_API cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config);
NP_API cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
NP_API cudaDeviceGetByPCIBusId(int* device, const char* bus_id);
NP_API cudaDeviceGetPCIBusId(char* bus_id, int size, int device);
NP_API cudaDeviceCanAccessPeer(int* can, int device, int peer);
NP_API cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
NP_API cudaDeviceDisablePeerAccess(int peer);
NP_API cudaDriverGetVersion(int* version);
NP_API cudaRuntimeGetVersion(int* version);
NP_API cudaProfilerStart(void);
NP_API cudaProfilerStop(void);

// Streams and events.
NP_API cudaStreamCreate(cudaStream_t* stream);
NP_API_BOTH cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
NP_API cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
NP_API_BOTH cudaStreamDestroy(cudaStream_t stream);
NP_API cudaStreamSynchronize(cudaStream_t stream);
NP_API cudaStreamQuery(cudaStream_t stream);
NP_API cudaStreamGetPriority(cudaStream_t stream, int* priority);
NP_API cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
NP_API_BOTH cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);
NP_API cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int flags);
NP_API cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
NP_API cudaStreamAttachMemAsync(cudaStream_t stream, void* address, size_t length = 0, unsigned int flags = 4);
NP_API cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID id, const cudaStreamAttrValue* value);
NP_API cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID id, cudaStreamAttrValue* value);
NP_API cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
NP_API cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
NP_API cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus* status);
NP_API cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode* mode);
NP_API cudaEventCreate(cudaEvent_t* event);
NP_API_BOTH cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
NP_API_BOTH cudaEventDestroy(cudaEvent_t event);
NP_API_BOTH cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
NP_API cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0, unsigned int flags = 0);
NP_API cudaEventSynchronize(cudaEvent_t event);
NP_API cudaEventQuery(cudaEvent_t event);
NP_API cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

// Memory.
NP_API_BOTH cudaMalloc(void** address, size_t size);
NP_API_BOTH cudaFree(void* address);
NP_API cudaMallocHost(void** address, size_t size, unsigned int flags = 0);
NP_API cudaMallocManaged(void** address, size_t size, unsigned int flags = cudaMemAttachGlobal);
NP_API cudaMallocPitch(void** address, size_t* pitch, size_t width, size_t height);
NP_API cudaMalloc3D(struct cudaPitchedPtr* address, struct cudaExtent extent);
NP_API cudaMallocAsync(void** address, size_t size, cudaStream_t stream);
NP_API cudaMallocFromPoolAsync(void** address, size_t size, cudaMemPool_t pool, cudaStream_t stream);
NP_API cudaFreeAsync(void* address, cudaStream_t stream);
NP_API cudaFreeHost(void* address);
NP_API cudaHostAlloc(void** address, size_t size, unsigned int flags);
NP_API cudaHostRegister(void* address, size_t size, unsigned int flags);
NP_API cudaHostUnregister(void* address);
NP_API cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
NP_API cudaMemGetInfo(size_t* available, size_t* total);
NP_API cudaMemcpy(void* to, const void* from, size_t count, enum cudaMemcpyKind kind);
NP_API_BOTH cudaMemcpyAsync(void* to, const void* from, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream = 0);
NP_API cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                    enum cudaMemcpyKind kind);
NP_API cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind, cudaStream_t stream = 0);
NP_API cudaMemcpy3D(const struct cudaMemcpy3DParms* parameters);
NP_API cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* parameters, cudaStream_t stream = 0);
NP_API cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t count);
NP_API cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t count,
                           cudaStream_t stream = 0);
NP_API cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t count, enum cudaMemcpyKind kind);
NP_API cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                           size_t height, enum cudaMemcpyKind kind);
NP_API cudaMemset(void* address, int byte, size_t count);
NP_API_BOTH cudaMemsetAsync(void* address, int byte, size_t count, cudaStream_t stream = 0);
NP_API cudaMemset2D(void* address, size_t pitch, int byte, size_t width, size_t height);
NP_API cudaMemPrefetchAsync(const void* address, size_t count, int device, cudaStream_t stream = 0);
NP_API cudaMemAdvise(const void* address, size_t count, enum cudaMemoryAdvise advice, int device);
NP_API cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* address);
NP_API cudaGetSymbolAddress(void** address, const void* symbol);
NP_API cudaGetSymbolSize(size_t* size, const void* symbol);
NP_API cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyHostToDevice);
NP_API cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset = 0,
                            enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
NP_API cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count, size_t offset,
                               enum cudaMemcpyKind kind, cudaStream_t stream = 0);
NP_API cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset, enum cudaMemcpyKind kind,
                                 cudaStream_t stream = 0);
NP_API cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* address);
NP_API cudaIpcOpenMemHandle(void** address, cudaIpcMemHandle_t handle, unsigned int flags);
NP_API cudaIpcCloseMemHandle(void* address);
NP_API cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
NP_API cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);
NP_API cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
NP_API cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
NP_API cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);

// Arrays and textures.
NP_API cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* format, size_t width, size_t height = 0,
                       unsigned int flags = 0);
NP_API cudaMalloc3DArray(cudaArray_t* array, const struct cudaChannelFormatDesc* format, struct cudaExtent extent,
                         unsigned int flags = 0);
NP_API cudaFreeArray(cudaArray_t array);
NP_API cudaCreateTextureObject(cudaTextureObject_t* texture, const struct cudaResourceDesc* resource,
                               const struct cudaTextureDesc* description, const void* view);
NP_API cudaDestroyTextureObject(cudaTextureObject_t texture);
NP_API cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const struct cudaResourceDesc* resource);
NP_API cudaDestroySurfaceObject(cudaSurfaceObject_t surface);

// Launch, occupancy, graphs.
NP_API cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                        cudaStream_t stream);
NP_API cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                                   cudaStream_t stream);
NP_API cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments);
NP_API cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* function);
NP_API cudaFuncSetAttribute(const void* function, enum cudaFuncAttribute attribute, int value);
NP_API cudaFuncSetCacheConfig(const void* function, enum cudaFuncCache config);
NP_API cudaFuncSetSharedMemConfig(const void* function, enum cudaSharedMemConfig config);
NP_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_size, size_t shared);
NP_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int block_size,
                                                              size_t shared, unsigned int flags);
NP_API cudaGraphCreate(cudaGraph_t* graph, unsigned int flags);
NP_API cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags = 0);
NP_API cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
NP_API cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream);
NP_API cudaGraphDestroy(cudaGraph_t graph);
NP_API cudaGraphExecDestroy(cudaGraphExec_t executable);
NP_API cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
NP_API cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                               enum cudaDriverEntryPointQueryResult* result = nullptr);
#undef NP_API
#undef NP_API_BOTH

#include "np_shim/runtime_templates.h"
