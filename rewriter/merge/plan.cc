// Fixes are taken in the order of their findings, group by group: a group is taken when every edit of every member
// fits. Only then are the files put together and parsed. When one no longer parses, its groups are tried one after the
// other on top of what parsed so far, so that one bad fix costs only itself. A group that goes takes its edits of other
// files along, so this is done until nothing goes any more.

#include "rewriter/merge/plan.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "rewriter/merge/edits.h"
#include "rewriter/merge/groups.h"
#include "rewriter/python/imports.h"
#include "rewriter/python/syntax_check.h"

namespace np::rewriter {
namespace {

bool holds(const Fix& fix, const Edit& edit) {
  return std::find(fix.edits.begin(), fix.edits.end(), edit) != fix.edits.end();
}

bool isPartOf(const Fix& part, const Fix& whole) {
  return std::all_of(part.edits.begin(), part.edits.end(), [&](const Edit& edit) { return holds(whole, edit); });
}

// The same insertion in two fixes is made once. That is right when it belongs to a fix that both contain (a guard's fix
// contains those of its branch), and wrong when both happen to open a parenthesis at one place.
class SharedInsertions {
 public:
  explicit SharedInsertions(const std::vector<Group>& groups) {
    for (const Group& group : groups)
      for (const auto& [finding, fix] : group.members)
        for (const Edit& edit : fix->edits)
          if (edit.range.empty()) fixes_[edit].push_back(fix);
  }

  bool mayShare(const Fix& a, const Fix& b, const Edit& insertion) const {
    const auto found = fixes_.find(insertion);
    return found == fixes_.end() || std::any_of(found->second.begin(), found->second.end(), [&](const Fix* common) {
             return isPartOf(*common, a) && isPartOf(*common, b);
           });
  }

 private:
  std::map<Edit, std::vector<const Fix*>> fixes_;
};

// What all accepted groups do to the files.
struct Draft {
  std::map<std::string, EditSet> edits;
  std::map<std::string, std::set<std::string>> imports;
  std::map<Edit, std::vector<const Fix*>> insertions;

  // False when an edit of the group does not fit, also among each other; then nothing is taken.
  bool take(const Group& group, const SharedInsertions& shared) {
    Draft own;
    for (const auto& [finding, fix] : group.members)
      for (const Edit& edit : fix->edits) {
        if (!fits(*fix, edit, shared) || !own.fits(*fix, edit, shared)) return false;
        own.add(*fix, edit);
      }
    for (const auto& [finding, fix] : group.members) add(*finding, *fix);
    return true;
  }

  bool fits(const Fix& fix, const Edit& edit, const SharedInsertions& shared) const {
    const auto set = edits.find(edit.path);
    if (set != edits.end() && !set->second.accepts(edit)) return false;
    const auto same = insertions.find(edit);
    return same == insertions.end() || std::all_of(same->second.begin(), same->second.end(), [&](const Fix* other) {
             return shared.mayShare(fix, *other, edit);
           });
  }

  void add(const Fix& fix, const Edit& edit) {
    edits[edit.path].add(edit);
    if (edit.range.empty()) insertions[edit].push_back(&fix);
  }

  void add(const Finding& finding, const Fix& fix) {
    for (const Edit& edit : fix.edits) add(fix, edit);
    if (!fix.imports.empty()) imports[finding.path].insert(fix.imports.begin(), fix.imports.end());
  }

  // None when an import has no place in the file.
  std::optional<std::string> textOf(const std::string& path, const SourceText& before) const {
    const std::string text = edits.at(path).apply(before.bytes());
    const auto needed = imports.find(path);
    if (needed == imports.end()) return text;
    return insertImports(text, {needed->second.begin(), needed->second.end()});
  }

  bool stillParses(const std::string& path, const SourceText& before) const {
    const std::optional<std::string> after = textOf(path, before);
    return after && rewriter::stillParses(path, before.bytes(), *after);
  }
};

Draft draftOf(const std::vector<Group>& groups) {
  Draft out;
  for (const Group& group : groups)
    if (group.refused.empty())
      for (const auto& [finding, fix] : group.members) out.add(*finding, *fix);
  return out;
}

// Why an edit cannot be made at all.
std::string whyImpossible(const Edit& edit, const SourceText* text) {
  if (!text) return "\"" + edit.path + "\" cannot be read";
  const std::string_view bytes = text->bytes();
  const auto splits = [&](Offset at) {
    return at < bytes.size() && (static_cast<unsigned char>(bytes[at]) & 0xC0) == 0x80;
  };
  const bool fits = edit.range.start <= edit.range.end && edit.range.end <= bytes.size() && !splits(edit.range.start) &&
                    !splits(edit.range.end);
  return fits ? "" : "its edit does not lie in \"" + edit.path + "\" (a fault of neuron-port)";
}

// Refuses the groups that would change a file which cannot be changed.
void refuseImpossible(std::vector<Group>& groups, const TextLookup& texts, const PlanOptions& options) {
  std::map<std::string, std::string> locks;
  for (Group& group : groups)
    for (const auto& [finding, fix] : group.members)
      for (const Edit& edit : fix->edits) {
        if (const std::string reason = whyImpossible(edit, texts(edit.path)); !reason.empty()) group.refused = reason;
        if (!options.locked) continue;
        const auto [lock, fresh] = locks.try_emplace(edit.path);
        if (fresh) lock->second = options.locked(edit.path);
        if (!lock->second.empty()) group.refused = "\"" + edit.path + "\" " + lock->second;
      }
}

// Refuses the groups of `path` that break its syntax, one by one.
void dropBreakers(std::vector<Group>& groups, const std::string& path, const SourceText& before) {
  std::vector<Group*> suspects;
  for (Group& group : groups)
    if (group.refused.empty() && group.touches(path)) suspects.push_back(&group);
  for (Group* group : suspects) group->refused = "pending";
  const bool was_whole = parsesWhole(path, before.bytes());
  for (Group* group : suspects) {
    group->refused.clear();
    if (draftOf(groups).stillParses(path, before)) continue;
    group->refused = "\"" + path + "\" would no longer parse with the fix of " + group->members[0].first->rule +
                     (was_whole ? " (a fault of neuron-port)" : "; it has a syntax error already");
  }
}

// True when a group had to go.
bool dropAllBreakers(std::vector<Group>& groups, const TextLookup& texts) {
  const Draft draft = draftOf(groups);
  bool dropped = false;
  for (const auto& [path, edits] : draft.edits) {
    if (draft.stillParses(path, *texts(path))) continue;
    dropBreakers(groups, path, *texts(path));
    dropped = true;
  }
  return dropped;
}

}  // namespace

bool isOlder(const std::string& a, const std::string& b) {
  const char *x = a.data(), *y = b.data();
  const char *x_end = x + a.size(), *y_end = y + b.size();
  while (x < x_end || y < y_end) {
    int i = 0, j = 0;
    x = std::from_chars(x, x_end, i).ptr;
    y = std::from_chars(y, y_end, j).ptr;
    if (i != j) return i < j;
    x = x < x_end ? x + 1 : x_end;
    y = y < y_end ? y + 1 : y_end;
  }
  return false;
}

Plan planFixes(const std::vector<Finding>& findings, const TextLookup& texts, const PlanOptions& options) {
  Plan out;
  std::vector<Group> groups = groupsOf(findings, options, out.left);
  refuseImpossible(groups, texts, options);
  Draft draft;
  const SharedInsertions shared(groups);
  for (Group& group : groups)
    if (group.refused.empty() && !draft.take(group, shared)) group.refused = "disturbs another fix; run again";
  while (dropAllBreakers(groups, texts)) {
  }
  draft = draftOf(groups);
  for (const auto& [path, edits] : draft.edits) {
    const SourceText* before = texts(path);
    std::string after = *draft.textOf(path, *before);
    if (after != before->bytes()) out.files.push_back({path, std::string(before->bytes()), std::move(after)});
  }
  for (const Group& group : groups)
    for (const auto& [finding, fix] : group.members) {
      if (!group.refused.empty()) {
        out.left.push_back({finding->rule, finding->path, group.refused, finding->start, true});
        continue;
      }
      out.applied.push_back({finding->rule, finding->path, fix->title, fix->min_torch, fix->safety, finding->start});
      if (isOlder(out.min_torch, fix->min_torch)) out.min_torch = fix->min_torch;
    }
  return out;
}

}  // namespace np::rewriter
