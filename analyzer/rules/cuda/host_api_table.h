// shims/tables/cuda_host_api.json: names of CUDA in C++ and device code, and what takes their place.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/result.h"

namespace np::analyzer {

struct HostApiRow {
  std::string name;  // without the '*' of a prefix row
  std::string category;
  std::string rule;  // of the category, "NPT1001"
  std::string instead;
  bool is_prefix = false;
};

class HostApiTable {
 public:
  // Reads the embedded table. The error names the row; it can only be a mistake in the table.
  static Result<HostApiTable> load();
  static Result<HostApiTable> parse(std::string_view json);

  // The row of a qualified name: its own, else the longest prefix row.
  const HostApiRow* find(std::string_view name) const;
  const std::vector<HostApiRow>& rows() const { return rows_; }

 private:
  std::vector<HostApiRow> rows_;
  std::map<std::string, std::size_t, std::less<>> exact_;
};

}  // namespace np::analyzer
