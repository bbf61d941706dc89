// Orchestration: translate, run at training sizes, fit, check at all sizes, look at coverage.
//
// Sizes are chosen in up to four ways and formulas normalised in two; the first combination whose Spec passes the
// symbolic gate at every size wins. If none does, the error of the attempt that came furthest is returned.
#include "kernel_port/lift/lift.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>

#include "kernel_port/lift/as_executed.h"
#include "kernel_port/lift/canonicalise.h"
#include "kernel_port/lift/output_fit.h"
#include "kernel_port/lift/size_choice.h"
#include "kernel_port/lift/size_run.h"
#include "kernel_port/lift/symbolic_gate.h"
#include "kernel_port/lift/translate.h"
#include "kernel_port/spec/partition.h"
#include "kernel_port/spec/text.h"

namespace np::kernel_port::lift {

namespace {

using Runs = std::vector<std::unique_ptr<SizeRun>>;

std::array<int64_t, 3> fixedDimensions(const std::array<launch::Expr, 3>& exprs) {
  std::array<int64_t, 3> out{0, 0, 0};
  for (size_t d = 0; d < 3; ++d)
    if (launch::sizeNames(exprs[d]).empty())
      if (auto v = launch::evaluate(exprs[d], {}); v.ok()) out[d] = v.value();
  return out;
}

Result<std::vector<CompactFunction>> translateAll(const DeviceModule& module, const launch::LaunchFile& file) {
  std::vector<CompactFunction> functions;
  for (const launch::Launch& launch : file.launches) {
    FixedLaunch fixed{fixedDimensions(launch.block), fixedDimensions(launch.grid)};
    NP_ASSIGN(CompactFunction function, translateKernel(module, launch.kernel, fixed));
    functions.push_back(std::move(function));
  }
  return functions;
}

std::optional<spec::SizeCondition> conditionOf(const launch::Condition& condition) {
  auto left = toSizeExpr(condition.left), right = toSizeExpr(condition.right);
  if (!left || !right) return std::nullopt;
  using Op = launch::Condition::Op;
  switch (condition.op) {
    case Op::Lt:
      return spec::SizeCondition{*left, spec::CmpOp::Lt, *right};
    case Op::Le:
      return spec::SizeCondition{*left, spec::CmpOp::Le, *right};
    case Op::Gt:
      return spec::SizeCondition{*right, spec::CmpOp::Lt, *left};
    case Op::Ge:
      return spec::SizeCondition{*right, spec::CmpOp::Le, *left};
    case Op::Eq:
      return spec::SizeCondition{*left, spec::CmpOp::Eq, *right};
    case Op::Ne:
      return spec::SizeCondition{*left, spec::CmpOp::Ne, *right};
  }
  return std::nullopt;
}

// Everything of the Spec but its statements.
Result<spec::Spec> declarations(const launch::LaunchFile& file, const std::vector<int64_t>& multiple) {
  spec::Spec spec;
  spec.sizes = file.size_names;
  for (const launch::Condition& condition : file.where) {
    auto where = conditionOf(condition);
    if (!where) return makeError("NPT2908", "the condition \"" + condition.text + "\" has no form in a Spec");
    spec.where.push_back(*where);
  }
  for (size_t i = 0; i < multiple.size(); ++i)
    if (multiple[i] > 1)
      spec.where.push_back({spec::SizeExpr::name(file.size_names[i]).mod(multiple[i]), spec::CmpOp::Eq, 0});
  for (const launch::Buffer& buffer : file.buffers) {
    if (buffer.role == launch::Role::Scratch) continue;
    spec::Buffer b;
    b.name = buffer.name;
    b.type = *spec::dtypeFromName(launch::name(buffer.type));
    b.role = buffer.role == launch::Role::In    ? spec::Role::In
             : buffer.role == launch::Role::Out ? spec::Role::Out
                                                : spec::Role::InOut;
    for (const launch::Expr& extent : buffer.extent) {
      auto size = toSizeExpr(extent);
      if (!size) return makeError("NPT2908", "an extent of buffer \"" + buffer.name + "\" has no form in a Spec");
      b.extents.push_back(*size);
    }
    if (buffer.extent.empty()) b.extents.push_back(1);
    spec.buffers.push_back(std::move(b));
  }
  for (const launch::Scalar& scalar : file.scalars)
    spec.scalars.push_back({scalar.name, *spec::dtypeFromName(launch::name(scalar.type))});
  return spec;
}

class Attempt {
 public:
  Attempt(const launch::LaunchFile& file, const std::vector<CompactFunction>& functions, const SizeChoice& choice,
          const LiftOptions& options)
      : file_(file), functions_(functions), choice_(choice), options_(options) {}

  Result<LiftResult> run() {
    for (const auto& values : choice_.training) NP_TRY(addRun(values, false));
    NormalForm executed = [](ExprDag& dag) {
      return [form = std::make_shared<AsExecuted>(dag)](NodeId n) { return form->normal(n); };
    };
    NormalForm algebraic = [](ExprDag& dag) {
      return
          [form = std::make_shared<Canonicaliser>(dag, FactorOrder::Program)](NodeId n) { return form->canonical(n); };
    };
    auto first = fitAndCheck(executed, "as executed", false);
    if (first.ok()) return first;
    for (bool in_pieces : {false, true}) {
      for (bool algebra : {false, true}) {
        if (!in_pieces && !algebra) continue;
        auto other = fitAndCheck(algebra ? algebraic : executed, algebra ? "algebraic" : "as executed", in_pieces);
        if (other.ok()) return other;
      }
    }
    return first;
  }

 private:
  Result<void> addRun(const std::vector<int64_t>& values, bool held_out) {
    MachineLimits limits = options_.limits;
    if (held_out) limits.steps = std::min(limits.steps, options_.held_out_steps);
    auto run = runAtSize(file_, functions_, values, limits);
    if (!run.ok() && held_out && run.error().code == "NPT2906") return {};  // too large to check on
    if (!run.ok()) return run.error();
    (held_out ? held_out_ : training_).push_back(std::move(run).value());
    return {};
  }

  Result<LiftResult> fitAndCheck(const NormalForm& form, const std::string& name, bool in_pieces) {
    bool found_recurrence = false;
    auto result = fitAndCheck(form, name, in_pieces, true, found_recurrence);
    if (result.ok() || !found_recurrence) return result;
    auto plain = fitAndCheck(form, name, in_pieces, false, found_recurrence);
    return plain.ok() ? plain : result;
  }

  // `in_pieces`: outputs that can be cut into pieces are; without any the attempt is the one before. `carried`: outputs
  // that look like recurrences are fitted as such.
  Result<LiftResult> fitAndCheck(const NormalForm& form, const std::string& name, bool in_pieces, bool carried,
                                 bool& found_recurrence) {
    LiftResult result;
    result.form = name;
    NP_ASSIGN(result.spec, declarations(file_, choice_.multiple));
    std::vector<SizeRun*> training;
    for (auto& run : training_) training.push_back(run.get());
    OutputFit fit(file_, training, form, carried);
    bool cut = false;
    auto report = [&] { found_recurrence = fit.foundRecurrence(); };
    for (size_t output = 0; output < training[0]->outputs.size(); ++output) {
      if (in_pieces) {
        auto stmts = fit.pieces(output, *result.spec.arena);
        report();
        if (stmts.ok()) {
          cut = true;
          for (spec::Stmt& stmt : stmts.value()) result.spec.stmts.push_back(std::move(stmt));
          NP_ASSIGN(auto borders, spec::partitionConditions(result.spec, result.spec.stmts.back().out));
          for (spec::SizeCondition& border : borders) result.spec.where.push_back(std::move(border));
          continue;
        }
      }
      auto stmt = fit.statement(output, *result.spec.arena);
      report();
      if (!stmt.ok()) return stmt.error();
      result.spec.stmts.push_back(std::move(stmt).value());
    }
    if (in_pieces && !cut) return makeError("NPT2908", "no output can be cut into pieces");
    for (auto& run : training_) NP_TRY(check(result, *run, false));
    NP_TRY(runHeldOut());
    for (auto& run : held_out_) NP_TRY(check(result, *run, true));
    int64_t checked = 0;
    for (const CheckedSize& size : result.sizes) checked += size.held_out ? 1 : 0;
    if (checked == 0 && !file_.size_names.empty())
      return makeError("NPT2906", "no size is left to check the formula on, allow more sizes in the launch file");
    NP_TRY(coverage(result));
    NP_TRY(keepDecisions(result));
    finish(result);
    return result;
  }

  static Result<void> check(LiftResult& result, const launch::LaunchFile& file, SizeRun& run, bool held_out) {
    for (const spec::SizeCondition& where : result.spec.where) {
      if (where.holds({run.plan.sizes.begin(), run.plan.sizes.end()})) continue;
      bool asked = std::find(file.cases.begin(), file.cases.end(), run.plan.values) != file.cases.end();
      if (held_out && !asked) return {};  // not counted as checked
      return makeError("NPT2909",
                       "the formula found holds only where " + where.text() + ", which excludes a size case");
    }
    SymbolicCheck symbolic = checkSymbolic(result.spec, file, run);
    if (symbolic.exhausted && held_out) return {};  // not counted as checked
    if (symbolic.exhausted)
      return makeError("NPT2906", "the algebra of this kernel takes too much work at sizes as small as can be chosen");
    if (!symbolic.passed()) {
      Error error = makeError("NPT2909", "the formula found holds for " + std::to_string(symbolic.equal) + " of " +
                                             std::to_string(symbolic.elements) +
                                             " output elements only, first difference: " + symbolic.first_difference);
      error.notes.push_back("the formula was " + spec::printFormulas(result.spec));
      return error;
    }
    result.sizes.push_back({run.plan.values, held_out, symbolic.elements});
    return {};
  }
  Result<void> check(LiftResult& result, SizeRun& run, bool held_out) { return check(result, file_, run, held_out); }

  // Runs the sizes that the formula has not seen, once for both forms.
  Result<void> runHeldOut() {
    if (!held_out_.empty()) return {};
    auto volume = [](const std::vector<int64_t>& values) {
      double v = 1;
      for (int64_t x : values) v *= static_cast<double>(x);
      return v;
    };
    double per_volume = static_cast<double>(training_[0]->steps) / volume(training_[0]->plan.values);
    for (const auto& values : choice_.held_out) {
      if (per_volume * volume(values) > static_cast<double>(options_.held_out_steps)) continue;
      NP_TRY(addRun(values, true));
    }
    if (held_out_.empty() && !file_.size_names.empty())
      return makeError("NPT2906", "no size is left to check the formula on, allow more sizes in the launch file");
    size_t most = 16;
    for (const auto& values : sizesAbove(file_, choice_.training[0], choice_.multiple, thresholds())) {
      if (most == 0 || per_volume * volume(values) > static_cast<double>(options_.held_out_steps) / 8) continue;
      NP_TRY(addRun(values, true));
      --most;
    }
    return {};
  }

  // Numbers that the kernels compare integers with: what happens there may be overwritten at all other sizes tried.
  std::vector<int64_t> thresholds() const {
    constexpr int64_t kLargest = 4096;
    std::set<int64_t> out;
    for (const CompactFunction& function : functions_) {
      std::map<int32_t, int64_t> numbers;
      for (const Constant& constant : function.constants)
        if (constant.kind == Kind::Int) numbers[constant.slot] = constant.integer;
      for (const Operation& op : function.operations) {
        if (op.code != Code::ICmp) continue;
        for (int32_t slot : {op.a, op.b})
          if (auto it = numbers.find(slot); it != numbers.end() && it->second > 2 && it->second < kLargest)
            out.insert(it->second);
      }
    }
    return {out.begin(), out.end()};
  }

  Result<void> coverage(LiftResult& result) {
    for (size_t f = 0; f < functions_.size(); ++f) {
      const CompactFunction& function = functions_[f];
      for (size_t b = 0; b < function.blocks.size(); ++b) {
        int64_t hits = 0;
        for (const Runs* runs : {&training_, &held_out_})
          for (const auto& run : *runs) hits += run->hits[f][b];
        if (hits == 0)
          return makeError("NPT2910", "this code of kernel \"" + function.name + "\" runs at none of the sizes tried",
                           function.places[static_cast<size_t>(function.blocks[b].place)].text());
        ++result.statistics.blocks;
      }
    }
    return {};
  }

  // What the runs never saw happen must be kept from happening by a condition on the sizes.
  Result<void> keepDecisions(LiftResult& result) {
    std::vector<spec::SizeValues> training_sizes;
    for (const auto& run : training_) training_sizes.push_back(sizesOf(*run));
    const SizeFit fit(file_, training_sizes);
    spec::SizeValues minima;
    for (size_t i = 0; i < file_.size_names.size(); ++i)
      minima[file_.size_names[i]] = i < choice_.multiple.size() ? std::max<int64_t>(1, choice_.multiple[i]) : 1;
    for (size_t f = 0; f < functions_.size(); ++f) {
      std::vector<SizedOutcomes> runs;
      for (const auto& run : training_) runs.push_back({&run->outcomes[f], sizesOf(*run), true, reachOf(*run)});
      for (const auto& run : held_out_) runs.push_back({&run->outcomes[f], sizesOf(*run), false, reachOf(*run)});
      if (f == 0) {
        NP_ASSIGN(std::vector<spec::SizeCondition> capped, keepLaunchDecisions(file_, runs));
        for (spec::SizeCondition& condition : capped) result.spec.where.push_back(std::move(condition));
      }
      NP_ASSIGN(std::vector<spec::SizeCondition> conditions, keepOutcomes(functions_[f], runs, fit, minima));
      for (spec::SizeCondition& condition : conditions) result.spec.where.push_back(std::move(condition));
    }
    return {};
  }

  static int64_t reachOf(const SizeRun& run) {
    int64_t reach = 0;
    for (const launch::BufferPlan& buffer : run.plan.buffers) reach = std::max(reach, buffer.elements);
    for (const launch::LaunchPlan& launch : run.plan.launches) {
      int64_t threads = 1;
      for (size_t d = 0; d < 3; ++d) threads *= launch.grid[d] * launch.block[d];
      reach = std::max(reach, threads);
    }
    return reach;
  }

  static spec::SizeValues sizesOf(const SizeRun& run) { return {run.plan.sizes.begin(), run.plan.sizes.end()}; }

  void finish(LiftResult& result) {
    std::set<std::string> assumptions;
    for (const Runs* runs : {&training_, &held_out_}) {
      for (const auto& run : *runs) {
        assumptions.insert(run->dag.assumptions().begin(), run->dag.assumptions().end());
        result.statistics.steps += run->steps;
        result.statistics.nodes += static_cast<int64_t>(run->dag.size());
        result.statistics.forks += run->forks;
        result.statistics.rewrites += run->rewrites;
      }
    }
    for (const spec::SizeCondition& where : result.spec.where) assumptions.insert(where.text());
    result.assumptions.assign(assumptions.begin(), assumptions.end());
  }

  const launch::LaunchFile& file_;
  const std::vector<CompactFunction>& functions_;
  const SizeChoice& choice_;
  const LiftOptions& options_;
  Runs training_, held_out_;
};

// How far an attempt came: an access outside a buffer or an unwritten output may be the fault of the sizes.
int progress(const std::string& code) { return code == "NPT2905" || code == "NPT2911" ? 0 : code == "NPT2910" ? 2 : 1; }

}  // namespace

Result<LiftResult> lift(const DeviceModule& module, const launch::LaunchFile& file, const LiftOptions& options) {
  auto start = std::chrono::steady_clock::now();
  for (const auto& values : file.cases)
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i] < 1)
        return makeError("NPT2906", "size \"" + file.size_names[i] + "\" is " + std::to_string(values[i]) +
                                        " in a size case, a formula's sizes are at least 1; leave the case out");
  NP_ASSIGN(std::vector<CompactFunction> functions, translateAll(module, file));
  std::optional<Error> worst;
  for (const SizeChoice& choice : chooseSizes(file)) {
    Result<LiftResult> result = Attempt(file, functions, choice, options).run();
    if (result.ok()) {
      result->statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      return result;
    }
    if (!worst || progress(result.error().code) > progress(worst->code)) worst = result.error();
    if (result.error().code == "NPT2904" || result.error().code == "NPT2907") break;  // sizes do not matter
  }
  if (!worst) return makeError("NPT2906", "no legal size satisfies the launch file's \"where\"", file.path);
  worst->notes.push_back(adviceFor(worst->code));
  return *worst;
}

bool isRefusal(const std::string& code) {
  return code == "NPT2903" || code == "NPT2905" || code == "NPT2907" || code == "NPT2909" || code == "NPT2910" ||
         code == "NPT2911";
}

std::string adviceFor(const std::string& code) {
  if (code == "NPT2903")
    return "control and addresses must follow from sizes and thread ids; move the data-dependent part out";
  if (code == "NPT2904") return "rewrite this operation with ones that are lifted, or keep the kernel on the CPU";
  if (code == "NPT2905")
    return "run the kernel in checked mode; if a size is not legal for it, say so in the launch file's where";
  if (code == "NPT2906") return "give smaller legal sizes in the launch file";
  if (code == "NPT2907") return "make the result independent of the order of threads";
  if (code == "NPT2908") return "declare extents that match how the kernel indexes its buffers";
  if (code == "NPT2909") return "the kernel computes something else at other sizes; split it into cases with where";
  if (code == "NPT2910") return "add size cases that run it, or remove the code";
  if (code == "NPT2911") return "use the role inout for buffers that are not written completely";
  return "check the kernel's name and the launch file";
}

}  // namespace np::kernel_port::lift
