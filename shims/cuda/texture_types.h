// Channel formats, resource and texture descriptors.
#pragma once
#pragma clang system_header
#include "driver_types.h"

enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3
};
struct cudaChannelFormatDesc {
  int x, y, z, w;
  enum cudaChannelFormatKind f;
};
enum cudaResourceType {
  cudaResourceTypeArray = 0,
  cudaResourceTypeMipmappedArray = 1,
  cudaResourceTypeLinear = 2,
  cudaResourceTypePitch2D = 3
};
enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
struct cudaResourceDesc {
  enum cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      void* devPtr;
      struct cudaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      struct cudaChannelFormatDesc desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
};
struct cudaTextureDesc {
  enum cudaTextureAddressMode addressMode[3];
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
};
// Sampling has no body here: a kernel that uses it is refused by name.
template <class Type>
__device__ Type tex1Dfetch(cudaTextureObject_t texture, int x);
template <class Type>
__device__ Type tex1D(cudaTextureObject_t texture, float x);
template <class Type>
__device__ Type tex2D(cudaTextureObject_t texture, float x, float y);
template <class Type>
__device__ Type tex2DLayered(cudaTextureObject_t texture, float x, float y, int layer);
template <class Type>
__device__ Type tex3D(cudaTextureObject_t texture, float x, float y, float z);
template <class Type>
__device__ void surf2Dwrite(Type value, cudaSurfaceObject_t surface, int x, int y);
template <class Type>
__device__ void surf2Dread(Type* value, cudaSurfaceObject_t surface, int x, int y);
