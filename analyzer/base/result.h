// Result<T>: a value or an Error; the only way failures cross our APIs.
//
//   Result<Config> loadConfig(const Path& path);
//   NP_ASSIGN(auto config, loadConfig(path));      // returns the error to the caller
//
// Libraries never throw across a module border, print or exit. NP_CHECK is for our own bugs only.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace np {

// `message` is lower case, without a full stop: the thing in quotes, data first, then what to do. `location` is
// "path", "path:line:column" or empty. `code` is a rule id ("NPT0003") or a short kebab-case word.
struct Error {
  std::string code;
  std::string message;
  std::string location;
  std::vector<std::string> notes;

  // "location: message" with the notes on lines of their own.
  std::string text() const {
    std::string out = location.empty() ? message : location + ": " + message;
    for (const std::string& note : notes) out += "\n  note: " + note;
    return out;
  }
};

inline Error makeError(std::string code, std::string message, std::string location = {}) {
  return Error{std::move(code), std::move(message), std::move(location), {}};
}

template <class T>
class [[nodiscard]] Result {
 public:
  using Value = T;
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

struct Unit {};

template <>
class [[nodiscard]] Result<void> {
 public:
  using Value = void;
  Result() = default;
  Result(Unit) {}                                                   // NOLINT(google-explicit-constructor)
  Result(Error error) : failed_(true), error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)
  bool ok() const { return !failed_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const& { return error_; }
  Error&& error() && { return std::move(error_); }

 private:
  bool failed_ = false;
  Error error_;
};

}  // namespace np

#define NP_CONCAT_(a, b) a##b
#define NP_CONCAT(a, b) NP_CONCAT_(a, b)

// Evaluates `expr` (a Result); on error returns the error from the enclosing function, else binds the value.
#define NP_ASSIGN(declaration, ...) NP_ASSIGN_(NP_CONCAT(np_result_, __LINE__), declaration, __VA_ARGS__)
#define NP_ASSIGN_(result, declaration, ...)          \
  auto result = (__VA_ARGS__);                        \
  if (!result.ok()) return std::move(result).error(); \
  declaration = std::move(result).value()

// The same for a Result whose value is not needed.
#define NP_TRY(...)                                                                                       \
  do {                                                                                                    \
    if (auto np_try_result = (__VA_ARGS__); !np_try_result.ok()) return std::move(np_try_result).error(); \
  } while (false)

// A violated invariant of our own. Aborts with the place: a wrong answer would be worse.
#define NP_CHECK(condition)                                                                             \
  do {                                                                                                  \
    if (!(condition)) {                                                                                 \
      std::fprintf(stderr, "neuron-port: internal error: %s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                                     \
    }                                                                                                   \
  } while (false)
