// Operators of __half and __nv_bfloat16; no include guard, see narrow_float.h. NP_SCALAR_OPERATORS and
// NP_PAIR_OPERATORS say which are wanted: builders switch them off with the __CUDA_NO_* macros.
#pragma clang system_header

#if NP_SCALAR_OPERATORS
NP_HD NP_T operator+(const NP_T& a, const NP_T& b) { return __hadd(a, b); }
NP_HD NP_T operator-(const NP_T& a, const NP_T& b) { return __hsub(a, b); }
NP_HD NP_T operator*(const NP_T& a, const NP_T& b) { return __hmul(a, b); }
NP_HD NP_T operator/(const NP_T& a, const NP_T& b) { return __hdiv(a, b); }
NP_HD NP_T& operator+=(NP_T& a, const NP_T& b) { return a = __hadd(a, b); }
NP_HD NP_T& operator-=(NP_T& a, const NP_T& b) { return a = __hsub(a, b); }
NP_HD NP_T& operator*=(NP_T& a, const NP_T& b) { return a = __hmul(a, b); }
NP_HD NP_T& operator/=(NP_T& a, const NP_T& b) { return a = __hdiv(a, b); }
NP_HD NP_T& operator++(NP_T& a) { return a = NP_T::np_make((NP_RAW)(a.np_value + (NP_RAW)1.0f)); }
NP_HD NP_T& operator--(NP_T& a) { return a = NP_T::np_make((NP_RAW)(a.np_value - (NP_RAW)1.0f)); }
NP_HD NP_T operator+(const NP_T& a) { return a; }
NP_HD NP_T operator-(const NP_T& a) { return __hneg(a); }
NP_HD bool operator==(const NP_T& a, const NP_T& b) { return __heq(a, b); }
NP_HD bool operator!=(const NP_T& a, const NP_T& b) { return __hneu(a, b); }
NP_HD bool operator<(const NP_T& a, const NP_T& b) { return __hlt(a, b); }
NP_HD bool operator>(const NP_T& a, const NP_T& b) { return __hgt(a, b); }
NP_HD bool operator<=(const NP_T& a, const NP_T& b) { return __hle(a, b); }
NP_HD bool operator>=(const NP_T& a, const NP_T& b) { return __hge(a, b); }
#endif

#if NP_PAIR_OPERATORS
NP_HD NP_T2 operator+(const NP_T2& a, const NP_T2& b) { return __hadd2(a, b); }
NP_HD NP_T2 operator-(const NP_T2& a, const NP_T2& b) { return __hsub2(a, b); }
NP_HD NP_T2 operator*(const NP_T2& a, const NP_T2& b) { return __hmul2(a, b); }
NP_HD NP_T2 operator/(const NP_T2& a, const NP_T2& b) { return __h2div(a, b); }
NP_HD NP_T2& operator+=(NP_T2& a, const NP_T2& b) { return a = __hadd2(a, b); }
NP_HD NP_T2& operator-=(NP_T2& a, const NP_T2& b) { return a = __hsub2(a, b); }
NP_HD NP_T2& operator*=(NP_T2& a, const NP_T2& b) { return a = __hmul2(a, b); }
NP_HD NP_T2& operator/=(NP_T2& a, const NP_T2& b) { return a = __h2div(a, b); }
NP_HD NP_T2 operator+(const NP_T2& a) { return a; }
NP_HD NP_T2 operator-(const NP_T2& a) { return __hneg2(a); }
NP_HD bool operator==(const NP_T2& a, const NP_T2& b) { return __hbeq2(a, b); }
NP_HD bool operator!=(const NP_T2& a, const NP_T2& b) { return !__hbeq2(a, b); }
NP_HD bool operator<(const NP_T2& a, const NP_T2& b) { return __hblt2(a, b); }
NP_HD bool operator>(const NP_T2& a, const NP_T2& b) { return __hbgt2(a, b); }
NP_HD bool operator<=(const NP_T2& a, const NP_T2& b) { return __hble2(a, b); }
NP_HD bool operator>=(const NP_T2& a, const NP_T2& b) { return __hbge2(a, b); }
#endif
