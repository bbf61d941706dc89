// Fixes are taken in the order of their findings, group by group: a group is taken when every edit of every member
// fits. Only then are the files put together and parsed. When one no longer parses, its groups are tried one after the
// other on top of what parsed so far, so that one bad fix costs only itself.

#include "rewriter/merge/plan.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "rewriter/merge/edits.h"
#include "rewriter/python/imports.h"
#include "rewriter/python/syntax_check.h"

namespace np::rewriter {
namespace {

// Findings whose fixes stand or fall together.
struct Group {
  std::vector<std::pair<const Finding*, const Fix*>> members;
  std::string refused;  // why not, empty while it is in
};

const Fix* chosenFix(const Finding& finding, FixSafety highest) {
  const Fix* best = nullptr;
  for (const Fix& fix : finding.fixes)
    if (fix.safety <= highest && !fix.edits.empty() && (!best || fix.safety < best->safety)) best = &fix;
  return best;
}

const Fix* anyFix(const Finding& finding) {
  const Fix* best = nullptr;
  for (const Fix& fix : finding.fixes)
    if (!best || fix.safety < best->safety) best = &fix;
  return best;
}

// What all accepted groups do to the files.
struct Draft {
  std::map<std::string, EditSet> edits;
  std::map<std::string, std::set<std::string>> imports;

  bool accepts(const Group& group) const {
    Draft trial;  // members may also disturb each other
    for (const auto& [finding, fix] : group.members)
      for (const Edit& edit : fix->edits) {
        const auto it = edits.find(edit.path);
        if (it != edits.end() && !it->second.accepts(edit)) return false;
        if (!trial.edits[edit.path].accepts(edit)) return false;
        trial.edits[edit.path].add(edit);
      }
    return true;
  }

  void add(const Group& group) {
    for (const auto& [finding, fix] : group.members) {
      for (const Edit& edit : fix->edits) edits[edit.path].add(edit);
      imports[finding->path].insert(fix->imports.begin(), fix->imports.end());
    }
  }

  std::string textOf(const std::string& path, const SourceText& before) const {
    std::string text = edits.at(path).apply(before.bytes());
    const auto needed = imports.find(path);
    return needed == imports.end() ? text : insertImports(text, {needed->second.begin(), needed->second.end()});
  }
};

std::vector<Group> groupsOf(const std::vector<Finding>& findings, const PlanOptions& options,
                            std::vector<LeftOver>& left) {
  std::vector<Group> out;
  std::map<std::string, std::size_t> by_name;
  for (const Finding& finding : findings) {
    const Fix* fix = chosenFix(finding, options.highest);
    const Fix* shown = fix ? fix : anyFix(finding);
    if (!shown) {
      left.push_back({finding.rule, finding.path, "no automatic fix", finding.start});
      continue;
    }
    std::size_t index = out.size();
    if (!shown->group.empty()) index = by_name.emplace(finding.path + "\n" + shown->group, out.size()).first->second;
    if (index == out.size()) out.emplace_back();
    if (fix)
      out[index].members.emplace_back(&finding, fix);
    else {
      const std::string reason =
          shown->safety == FixSafety::Unsafe ? "may change behaviour (--unsafe-fixes)" : "only a sketch, not applied";
      left.push_back({finding.rule, finding.path, reason, finding.start});
      if (!shown->group.empty())
        out[index].refused = "belongs to a device flow with a place that is not fixed (" + reason + ")";
    }
  }
  std::erase_if(out, [](const Group& group) { return group.members.empty(); });
  return out;
}

bool touches(const Group& group, const std::string& path) {
  for (const auto& [finding, fix] : group.members)
    for (const Edit& edit : fix->edits)
      if (edit.path == path) return true;
  return false;
}

Draft draftOf(const std::vector<Group>& groups) {
  Draft out;
  for (const Group& group : groups)
    if (group.refused.empty()) out.add(group);
  return out;
}

// Refuses the groups of `path` that break its syntax, one by one.
void dropBreakers(std::vector<Group>& groups, const std::string& path, const SourceText& before) {
  std::vector<Group*> suspects;
  for (Group& group : groups)
    if (group.refused.empty() && touches(group, path)) suspects.push_back(&group);
  for (Group* group : suspects) group->refused = "pending";
  for (Group* group : suspects) {
    group->refused.clear();
    const Draft draft = draftOf(groups);
    if (!stillParses(path, before.bytes(), draft.textOf(path, before)))
      group->refused = "the file would no longer parse";
  }
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
  Draft draft;
  for (Group& group : groups) {
    if (!group.refused.empty()) continue;
    if (!draft.accepts(group)) {
      group.refused = "disturbs another fix; run again";
      continue;
    }
    draft.add(group);
  }
  for (const auto& [path, edits] : std::map(draft.edits)) {
    const SourceText* before = texts(path);
    if (!before) {
      for (Group& group : groups)
        if (touches(group, path)) group.refused = "the file cannot be read";
      continue;
    }
    if (!stillParses(path, before->bytes(), draft.textOf(path, *before))) dropBreakers(groups, path, *before);
  }
  draft = draftOf(groups);
  for (const auto& [path, edits] : draft.edits) {
    const SourceText* before = texts(path);
    std::string after = draft.textOf(path, *before);
    if (after != before->bytes()) out.files.push_back({path, std::string(before->bytes()), std::move(after)});
  }
  for (const Group& group : groups)
    for (const auto& [finding, fix] : group.members) {
      if (!group.refused.empty()) {
        out.left.push_back({finding->rule, finding->path, group.refused, finding->start});
        continue;
      }
      out.applied.push_back({finding->rule, finding->path, fix->title, fix->min_torch, fix->safety, finding->start});
      if (isOlder(out.min_torch, fix->min_torch)) out.min_torch = fix->min_torch;
    }
  return out;
}

}  // namespace np::rewriter
