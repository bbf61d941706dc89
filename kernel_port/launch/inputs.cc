// Initial values by kind, reproducible on every machine.
//
// Generator: splitmix64 (state += 0x9e3779b97f4a7c15; two xor-multiply rounds), started per buffer from the seed and
// the FNV-1a hash of the buffer's name, so that adding a buffer does not change another one's values.
//   uniform        low + (high - low) * k / 2^53, k = the upper 53 bits
//   normal         Box-Muller on two uniforms, in double, then rounded once to the element type
//   randint        low + (draw modulo range); the bias is below 2^-40 for ranges that occur
//   permutation    Fisher-Yates from the last element down
//   sorted_offsets first 0, last `total`, sorted draws from [0, total] between; nonempty: distinct draws from [1,
//   total)
// `out` and `scratch` start as 0xff bytes: NaN in every float format, so that an element never written shows.

#include "kernel_port/launch/inputs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace np::kernel_port::launch {
namespace {

constexpr double kTwoPi = 6.283185307179586;

class Generator {
 public:
  Generator(uint64_t seed, std::string_view name) {
    uint64_t hash = 0xcbf29ce484222325;
    for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    state_ = hash ^ (seed * 0xd1342543de82ef95);
  }
  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double normal() {
    const double u = 1.0 - uniform(), v = uniform();  // u in (0, 1]
    return std::sqrt(-2.0 * std::log(u)) * std::cos(kTwoPi * v);
  }
  int64_t below(int64_t range) { return static_cast<int64_t>(next() % static_cast<uint64_t>(range)); }

 private:
  uint64_t state_;
};

class Filler {
 public:
  Filler(const LaunchFile& file, const CasePlan& plan, const Buffer& buffer, HostBuffer& out, uint64_t seed)
      : file_(file), plan_(plan), buffer_(buffer), out_(out), random_(seed, buffer.name) {}

  Result<void> fill() {
    const Init& init = *buffer_.init;
    switch (init.kind) {
      case Init::Kind::Zeros:
        setEach([](int64_t) { return int64_t{0}; });
        return {};
      case Init::Kind::Ones:
        setEach([](int64_t) { return int64_t{1}; });
        return {};
      case Init::Kind::Normal:
        setEach([&](int64_t) { return random_.normal(); });
        return {};
      case Init::Kind::Uniform:
        setEach([&](int64_t) { return init.low + (init.high - init.low) * random_.uniform(); });
        return {};
      case Init::Kind::Iota:
        NP_TRY(fits(out_.elements() - 1));
        setEach([](int64_t k) { return k; });
        return {};
      case Init::Kind::Permutation:
        return permutation();
      case Init::Kind::RandInt:
        return randInt(init);
      case Init::Kind::SortedOffsets:
        return sortedOffsets(init);
    }
    NP_CHECK(false);
  }

 private:
  template <class Value>
  void setEach(Value value) {
    const int64_t size = byteSize(out_.type);
    for (int64_t k = 0; k < out_.elements(); ++k) storeElement(out_.type, value(k), &out_.bytes[k * size]);
  }

  Error fail(const std::string& message) const {
    return makeError("launch-file", message, file_.path + "#/buffers/" + buffer_.name + "/init");
  }

  Result<void> fits(__int128 value) const {
    if (isFloat(out_.type) || (value >= lowest(out_.type) && value <= highest(out_.type))) return {};
    return fail("initial values do not fit type \"" + std::string(name(out_.type)) + "\"");
  }

  Result<void> permutation() {
    NP_TRY(fits(out_.elements() - 1));
    std::vector<int64_t> order(out_.elements());
    std::iota(order.begin(), order.end(), 0);
    for (int64_t k = out_.elements() - 1; k > 0; --k) std::swap(order[k], order[random_.below(k + 1)]);
    setEach([&](int64_t k) { return order[k]; });
    return {};
  }

  Result<void> randInt(const Init& init) {
    NP_ASSIGN(int64_t low, evaluate(init.int_low, plan_.sizes));
    NP_ASSIGN(int64_t high, evaluate(init.int_high, plan_.sizes));
    int64_t range = 0;
    if (__builtin_sub_overflow(high, low, &range)) return fail("the range of \"randint\" is too wide");
    if (range < 1 && out_.elements() > 0)
      return fail("the range of \"randint\" is empty: low is " + std::to_string(low) + ", high is " +
                  std::to_string(high));
    if (out_.elements() > 0) {
      NP_TRY(fits(low));
      NP_TRY(fits(__int128{high} - 1));
    }
    setEach([&](int64_t) { return low + random_.below(range); });
    return {};
  }

  Result<void> sortedOffsets(const Init& init) {
    NP_ASSIGN(int64_t total, evaluate(init.total, plan_.sizes));
    const int64_t count = out_.elements();
    if (count < 2) return fail("\"sorted_offsets\" needs at least two elements");
    if (total < 0) return fail("\"total\" is " + std::to_string(total) + "; it must not be negative");
    NP_TRY(fits(total));
    if (init.nonempty && total < count - 1)
      return fail("a total of " + std::to_string(total) + " cannot give " + std::to_string(count - 1) +
                  " rows that are not empty");
    std::vector<int64_t> offsets{0, total};
    if (init.nonempty) {
      std::set<int64_t> distinct;
      while (static_cast<int64_t>(distinct.size()) < count - 2) distinct.insert(1 + random_.below(total - 1));
      offsets.insert(offsets.end(), distinct.begin(), distinct.end());
    } else {
      for (int64_t k = 0; k < count - 2; ++k) offsets.push_back(random_.below(total + 1));
    }
    std::sort(offsets.begin(), offsets.end());
    setEach([&](int64_t k) { return offsets[k]; });
    return {};
  }

  const LaunchFile& file_;
  const CasePlan& plan_;
  const Buffer& buffer_;
  HostBuffer& out_;
  Generator random_;
};

}  // namespace

Result<std::vector<HostBuffer>> makeInputs(const LaunchFile& file, const CasePlan& plan, uint64_t seed) {
  std::vector<HostBuffer> out;
  for (size_t k = 0; k < plan.buffers.size(); ++k) {
    const BufferPlan& shape = plan.buffers[k];
    HostBuffer buffer{shape.name, shape.type, shape.extent, {}};
    buffer.bytes.assign(shape.bytes(), 0xff);
    if (file.buffers[k].init) NP_TRY(Filler(file, plan, file.buffers[k], buffer, seed).fill());
    out.push_back(std::move(buffer));
  }
  return out;
}

}  // namespace np::kernel_port::launch
