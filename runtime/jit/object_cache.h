// Objects on disk by key. A damaged or foreign file is a miss, never an error.
#pragma once

#include <optional>
#include <string>

namespace np::jit {

class ObjectCache {
 public:
  // `folder` empty: nothing is kept. It is made when the first object is stored.
  explicit ObjectCache(std::string folder) : folder_(std::move(folder)) {}

  std::optional<std::string> load(const std::string& key) const;
  void store(const std::string& key, const std::string& object) const;

 private:
  std::string folder_;
};

}  // namespace np::jit
