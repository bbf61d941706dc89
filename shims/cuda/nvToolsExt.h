// NVTX ranges.
#pragma once
#pragma clang system_header
#include <stdint.h>
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
struct nvtxEventAttributes_t {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t messageType;
  union {
    const char* ascii;
  } message;
};
#define NVTX_VERSION 2
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE sizeof(nvtxEventAttributes_t)
#define NVTX_COLOR_ARGB 1
#define NVTX_MESSAGE_TYPE_ASCII 1
extern "C" {
int nvtxRangePushA(const char* message);
int nvtxRangePushEx(const nvtxEventAttributes_t* attributes);
int nvtxRangePop(void);
nvtxRangeId_t nvtxRangeStartA(const char* message);
void nvtxRangeEnd(nvtxRangeId_t id);
void nvtxMarkA(const char* message);
}
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
