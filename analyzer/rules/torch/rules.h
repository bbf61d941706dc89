// The Python rules. Each looks at one file and adds its findings; the order in which they run is in analyze_python.cc.
#pragma once

#include "analyzer/rules/torch/rule_input.h"

namespace np::analyzer {

void cudaOrCpuChoice(const RuleInput& input, FileFindings& out);       // NPT3003
void hardCodedCudaDevice(const RuleInput& input, FileFindings& out);   // NPT3001
void cudaDeviceIndex(const RuleInput& input, FileFindings& out);       // NPT3004
void mapLocationCuda(const RuleInput& input, FileFindings& out);       // NPT3007
void cudaMethod(const RuleInput& input, FileFindings& out);            // NPT3002
void cudaAutocast(const RuleInput& input, FileFindings& out);          // NPT3008
void cudaCustomFunction(const RuleInput& input, FileFindings& out);    // NPT3009
void cudaGradScaler(const RuleInput& input, FileFindings& out);        // NPT3012
void pinMemory(const RuleInput& input, FileFindings& out);             // NPT3011
void compileOptions(const RuleInput& input, FileFindings& out);        // NPT3013
void cudaString(const RuleInput& input, FileFindings& out);            // NPT3010
void cudaApiTable(const RuleInput& input, FileFindings& out);          // NPT31xx
void cudaOnlyPackage(const RuleInput& input, FileFindings& out);       // NPT3201
void cudaPackageUse(const RuleInput& input, FileFindings& out);        // NPT3205
void tritonKernel(const RuleInput& input, FileFindings& out);          // NPT3202
void ncclBackend(const RuleInput& input, FileFindings& out);           // NPT4001
void dataParallel(const RuleInput& input, FileFindings& out);          // NPT4002
void distributedDeviceIds(const RuleInput& input, FileFindings& out);  // NPT4003
void cudaVisibleDevices(const RuleInput& input, FileFindings& out);    // NPT4004
void cudaEnvironment(const RuleInput& input, FileFindings& out);       // NPT4005
void cudaDeviceMesh(const RuleInput& input, FileFindings& out);        // NPT4006
void deviceNumber(const RuleInput& input, FileFindings& out);          // NPT3015
void cudaTypeString(const RuleInput& input, FileFindings& out);        // NPT3016
void cudaFeatureProbe(const RuleInput& input, FileFindings& out);      // NPT3017
void cudaMethodOverride(const RuleInput& input, FileFindings& out);    // NPT3019
void libraryOption(const RuleInput& input, FileFindings& out);         // NPT3020
void cudaCommandLine(const RuleInput& input, FileFindings& out);       // NPT3021
void gpuTool(const RuleInput& input, FileFindings& out);               // NPT3026
void cudaProfilerKey(const RuleInput& input, FileFindings& out);       // NPT3018
void streamHandle(const RuleInput& input, FileFindings& out);          // NPT3114
void cudaOpRegistration(const RuleInput& input, FileFindings& out);    // NPT3115
void tensorInterop(const RuleInput& input, FileFindings& out);         // NPT3113
void gpuLauncher(const RuleInput& input, FileFindings& out);           // NPT4011
void torchCudaImport(const RuleInput& input, FileFindings& out);       // NPT3112
void extensionImport(const RuleInput& input, FileFindings& out);       // NPT3203
void hazards(const RuleInput& input, FileFindings& out);               // NPT33xx
void rankOrder(const RuleInput& input, FileFindings& out);             // NPT4009
void processStart(const RuleInput& input, FileFindings& out);          // NPT4010
// These ask what a branch holds, so they run after the rules above.
void isCuda(const RuleInput& input, FileFindings& out);                 // NPT3006
void cudaDeviceComparison(const RuleInput& input, FileFindings& out);   // NPT3005
void cudaAvailabilityGuard(const RuleInput& input, FileFindings& out);  // NPT3022
void cudaAvailabilityFlag(const RuleInput& input, FileFindings& out);   // NPT3023
void skipWithoutCuda(const RuleInput& input, FileFindings& out);        // NPT3025
void cudaAvailabilityQuery(const RuleInput& input, FileFindings& out);  // NPT3024

}  // namespace np::analyzer
