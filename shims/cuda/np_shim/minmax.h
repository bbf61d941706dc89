// min and max of floats, on both sides; a NaN operand loses, as fminf and fmaxf define.
#pragma once
#pragma clang system_header
#include "math_overloads.h"
#include "std_headers.h"

NP_HD float min(float a, float b) { return fminf(a, b); }
NP_HD float max(float a, float b) { return fmaxf(a, b); }
NP_HD double min(double a, double b) { return fmin(a, b); }
NP_HD double max(double a, double b) { return fmax(a, b); }
NP_HD double min(float a, double b) { return fmin((double)a, b); }
NP_HD double max(float a, double b) { return fmax((double)a, b); }
NP_HD double min(double a, float b) { return fmin(a, (double)b); }
NP_HD double max(double a, float b) { return fmax(a, (double)b); }
