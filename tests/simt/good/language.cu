// C++ in device code.
#include <assert.h>
#include <stdio.h>

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ bool is_odd(int n);
__device__ bool is_even(int n) { return n == 0 ? true : is_odd(n - 1); }
__device__ bool is_odd(int n) { return n == 0 ? false : is_even(n - 1); }
__device__ int hanoi(int n, int* moves, char from, char to, char by) {
  if (n == 0) return 0;
  int count = hanoi(n - 1, moves, from, by, to);
  moves[0] += from;
  return count + 1 + hanoi(n - 1, moves, by, to, from);
}
__global__ void recursion(int* y) { y[threadIdx.x] = fibonacci(threadIdx.x % 12) * 2 + is_even(threadIdx.x); }
__global__ void recursion_with_memory(int* y) {
  int moves[1] = {0};
  y[threadIdx.x] = hanoi(threadIdx.x % 6, moves, 1, 2, 3) * 1000 + moves[0];
}

__device__ int add_one(int v) { return v + 1; }
__device__ int twice(int v) { return 2 * v; }
__device__ int square(int v) { return v * v; }
__global__ void function_pointers(const int* x, int* y) {
  int (*table[3])(int) = {add_one, twice, square};
  y[threadIdx.x] = table[threadIdx.x % 3](x[threadIdx.x]);
}
template <int (*F)(int)>
__device__ int apply(int v) {
  return F(F(v));
}
__global__ void function_as_argument(const int* x, int* y) { y[threadIdx.x] = apply<twice>(x[threadIdx.x]) + apply<add_one>(1); }

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual int sides() const { return 0; }
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  __device__ Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
  __device__ int sides() const override { return 4; }
};
struct Circle : Shape {
  float radius;
  __device__ Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3.0f * radius * radius; }
};
__global__ void virtual_calls(float* y) {
  Square square(threadIdx.x);
  Circle circle(threadIdx.x);
  const Shape* shape = threadIdx.x % 2 ? (const Shape*)&square : (const Shape*)&circle;
  y[threadIdx.x] = shape->area() + shape->sides();
}

template <class T, int N>
struct Small {
  T v[N];
  __device__ T sum() const {
    T s = 0;
    for (int k = 0; k < N; k++) s += v[k];
    return s;
  }
};
template <class T, int N>
__global__ void templated(const T* x, T* y) {
  Small<T, N> s;
  for (int k = 0; k < N; k++) s.v[k] = x[(threadIdx.x + k) % 32];
  y[threadIdx.x] = s.sum();
}
template __global__ void templated<float, 3>(const float*, float*);
template __global__ void templated<int, 5>(const int*, int*);

template <class... V>
__device__ int sum_of(V... values) {
  return (0 + ... + values);
}
__global__ void fold(int* y) { y[threadIdx.x] = sum_of(1, (int)threadIdx.x, 3) + sum_of(); }

template <class F>
__device__ void repeat(int n, F f) {
  for (int k = 0; k < n; k++) f(k);
}
__global__ void lambdas(const int* x, int* y) {
  int sum = 0, scale = 3;
  repeat(4, [&](int k) { sum += scale * x[(threadIdx.x + k) % 32]; });
  auto clamp = [scale](int v) { return v > scale ? scale : v; };
  y[threadIdx.x] = sum * 10 + clamp(threadIdx.x);
}

struct Complex {
  float re, im;
  __device__ Complex operator*(const Complex& o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  __device__ Complex& operator+=(const Complex& o) {
    re += o.re, im += o.im;
    return *this;
  }
};
__device__ Complex power(Complex z, int n) {
  Complex r{1, 0};
  while (n-- > 0) r = r * z;
  return r;
}
__global__ void operators(int* y) {
  Complex z = power({0, 1}, threadIdx.x);
  z += Complex{1, 2};
  y[threadIdx.x] = (int)z.re * 10 + (int)z.im;
}
__global__ void switch_fall_through(int* y) {
  int v = 0;
  switch (threadIdx.x % 5) {
    case 0:
      v += 1;
    case 1:
      v += 10;
      break;
    case 3:
      v += 100;
    default:
      v += 1000;
  }
  y[threadIdx.x] = v;
}
__global__ void loops(int* y) {
  int v = 0, k = 0;
  do {
    if (k == (int)threadIdx.x % 7) {
      k += 2;
      continue;
    }
    if (k > 20) break;
    v += k++;
  } while (k < 15);
  for (;;) {
    if (v % 5 == 0) goto end;
    v++;
  }
end:
  y[threadIdx.x] = v;
}
__global__ void short_circuit(const int* x, int* y) {
  int i = threadIdx.x;
  y[i] = (i > 0 && x[i - 1] > 0) || (i < 31 && x[i + 1] < 0) ? (x[i] > 50 ? 3 : x[i] > 0 ? 2 : 1) : 0;
}
__device__ constexpr int cube(int v) { return v * v * v; }
__global__ void constants(int* y) {
  constexpr int kCube = cube(3), kSquares[6] = {0, 1, 4, 9, 16, 25};
  y[threadIdx.x] = kCube + (threadIdx.x < 6 ? threadIdx.x * threadIdx.x - kSquares[2] : 0);
}
__global__ void prints() {
  printf("thread %d of %u: %.2f %c %ld 0x%x %s%%\n", threadIdx.x, blockDim.x, threadIdx.x * 0.5, 'a' + threadIdx.x,
         -(long)threadIdx.x, 255 - threadIdx.x, "ok");
}
__global__ void asserts(const int* x, int* y) {
  assert(x[threadIdx.x] < 1000);
  y[threadIdx.x] = x[threadIdx.x];
}
__global__ void clock_rises(int* y) {
  long long before = clock64();
  int v = 0;
  for (int k = 0; k < 10; k++) v += k * threadIdx.x;
  y[threadIdx.x] = clock64() > before ? v : -1;
}
__device__ int static_counter() {
  static __device__ int count = 5;
  return atomicAdd(&count, 0);
}
__global__ void statics(int* y) { y[threadIdx.x] = static_counter(); }
struct Base {
  int a;
};
struct Derived : Base {
  int b;
};
__device__ void fill(Derived* d, int v) {
  d->a = v;
  d->b = v + 1;
}
__global__ void inheritance(int* y) {
  Derived d;
  fill(&d, threadIdx.x);
  Base* base = &d;
  y[threadIdx.x] = base->a * d.b;
}
__global__ void __launch_bounds__(64, 2) bounded(int* __restrict__ y) { y[threadIdx.x] = 64 - threadIdx.x; }
__global__ void collatz(int* y) {
  unsigned n = threadIdx.x + 1;
  int steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  }
  y[threadIdx.x] = steps;
}
