// Suppressions: comments that keep a finding from being reported.
//
//   x.cuda()  # neuron-port: ignore[NPT3001] why    this line, or the next one when the comment stands alone
//   # neuron-port: file-ignore[NPT3]                 the whole file
//   # neuron-port: off[NPT3001] … on[NPT3001]        the lines between the two comments
//   x.cuda()  # noqa: NPT3001                        this line
//   cudaMalloc(&p, n);  // NOLINT(NPT1003)           this line
//
// Rules are named by id or any prefix; `ignore` without a list means every rule.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/finding.h"

namespace np::analyzer {

struct Suppression {
  Range comment;                   // the directive itself
  std::vector<std::string> rules;  // prefixes; empty: all
  std::uint32_t first_line = 0;    // 0-based, inclusive
  std::uint32_t last_line = 0;
  bool explicitly_ours = false;  // "neuron-port:", so an unused one is a finding; noqa may be meant for others
  bool used = false;
};

class Suppressions {
 public:
  // False when there cannot be any in a text: most files need no further look.
  static bool mayHaveSome(std::string_view bytes);
  // Only what stands in one of `comments` (ordered) counts; without them, whatever has a comment sign before it.
  static Suppressions parse(const SourceText& text, const std::vector<Range>& comments);
  static Suppressions parse(const SourceText& text);

  // True when a directive covers the finding; that directive then counts as used.
  bool covers(const SourceText& text, const Finding& finding);
  // Directives of ours that covered nothing.
  std::vector<Suppression> unused() const;
  const std::vector<Suppression>& all() const { return all_; }

 private:
  void addLine(const SourceText& text, std::uint32_t line, Range piece);
  std::vector<Suppression> all_;
};

}  // namespace np::analyzer
