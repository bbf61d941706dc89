// Variants and their guard.
//
// The generator is run once for every answer to its facts. The runs form a tree: a fact, the program where it holds,
// the program where it does not. Equal programs merge; a branch that cannot be scheduled, or lies beyond the number of
// variants, becomes a requirement, which the emitted kernel checks at entry. So every legal size runs a variant made
// for it or raises.
#include "kernel_port/schedule/schedule.h"

#include <map>

#include "kernel_port/schedule/generator.h"
#include "kernel_port/spec/partition.h"
#include "runtime/tile/text.h"

namespace np::kernel_port::schedule {

using namespace spec;

namespace {

struct Leaf {
  tile::Block body;
  std::optional<Error> refused;
};

class Variants {
 public:
  Variants(const spec::Spec& spec, const ScheduleOptions& options) : spec_(spec), options_(options) {}

  Result<Schedule> run() {
    NP_TRY(checkWrites());
    Schedule out;
    out.program.name = options_.name;
    out.program.sizes = spec_.sizes;
    NP_TRY(declare(out.program));
    const Leaf tree = explore({});
    if (tree.refused) return *tree.refused;
    out.program.body = tree.body;
    for (const std::string& size : spec_.sizes) requirements_.push_back({SymInt::symbol(size), tile::Compare::kGe, 1});
    for (const SizeCondition& condition : spec_.where) {
      static constexpr tile::Compare kCompare[] = {tile::Compare::kLt, tile::Compare::kLe, tile::Compare::kEq,
                                                   tile::Compare::kNe};
      requirements_.push_back(
          {toSymInt(condition.left), kCompare[static_cast<int>(condition.op)], toSymInt(condition.right)});
    }
    out.program.requirements = requirements_;
    out.variants = variants_;
    out.excluded = excluded_;
    return out;
  }

 private:
  // Each element of an output is written once: by one statement that writes the whole buffer, or by several that write
  // a box each, which must be provable for all sizes that the Spec allows.
  Result<void> checkWrites() const {
    if (spec_.stmts.empty()) return makeError("SCHED-EMPTY", "the Spec writes nothing");
    for (const Buffer& buffer : spec_.buffers) {
      if (buffer.role == Role::In) continue;
      auto conditions = spec::partitionConditions(spec_, buffer.name);
      if (!conditions.ok()) return makeError("SCHED-PARTIAL-WRITE", conditions.error().message);
      for (const spec::SizeCondition& condition : conditions.value()) {
        bool stated = false;
        for (const spec::SizeCondition& where : spec_.where) stated = stated || where.text() == condition.text();
        if (!stated)
          return makeError("SCHED-PARTIAL-WRITE",
                           "\"" + buffer.name + "\" is written once only where " + condition.text());
      }
    }
    return {};
  }

  Result<void> declare(tile::TileProgram& program) const {
    for (const Buffer& buffer : spec_.buffers) {
      tile::Param param{buffer.name, tile::Dtype::kF32, {}, tile::Role::kIn};
      NP_ASSIGN(param.dtype, toTileDtype(buffer.type));
      for (const SizeExpr& extent : buffer.extents) param.extents.push_back(toSymInt(extent));
      if (buffer.role != Role::Out) program.params.push_back(param);
    }
    for (const Scalar& scalar : spec_.scalars) {
      if (scalar.type != DType::F32) return makeError("SCHED-TYPE", "scalar \"" + scalar.name + "\" is not f32");
      program.params.push_back({scalar.name, tile::Dtype::kF32, {1, 1}, tile::Role::kIn});
    }
    for (const Buffer& buffer : spec_.buffers) {
      if (buffer.role == Role::In) continue;
      tile::Param param{
          buffer.role == Role::InOut ? buffer.name + "_out" : buffer.name, tile::Dtype::kF32, {}, tile::Role::kOut};
      NP_ASSIGN(param.dtype, toTileDtype(buffer.type));
      for (const SizeExpr& extent : buffer.extents) param.extents.push_back(toSymInt(extent));
      program.params.push_back(param);
    }
    return {};
  }

  // The program for all sizes at which the facts of `forced` have those answers.
  Leaf explore(const std::vector<bool>& forced) {
    Facts facts(spec_.sizes, forced);
    Generator generator(spec_, facts);
    Leaf leaf;
    for (const Stmt& stmt : spec_.stmts) {
      auto made = generator.statement(stmt);
      if (!made.ok()) {
        leaf.refused = made.error();
        break;
      }
    }
    if (!leaf.refused && !facts.sound()) leaf.refused = makeError("SCHED-FACT", "a choice would depend on a loop");
    if (!leaf.refused) leaf.body = generator.take();
    ++variants_;
    const std::vector<Fact> recorded = facts.recorded();
    // From the last fact back: what the other answer gives, and the choice between the two.
    for (size_t i = recorded.size(); i-- > forced.size();) {
      std::vector<bool> other(forced);
      for (size_t j = forced.size(); j < i; ++j) other.push_back(true);
      other.push_back(false);
      Leaf no;
      if (variants_ < options_.max_variants) {
        no = explore(other);
      } else {
        no.refused =
            makeError("SCHED-VARIANTS", "more size ranges than " + std::to_string(options_.max_variants) + " variants");
      }
      leaf = choose(recorded[i], std::move(leaf), std::move(no));
    }
    return leaf;
  }

  Leaf choose(const Fact& fact, Leaf yes, Leaf no) {
    const tile::Condition holds{fact.left, tile::Compare::kLe, fact.bound},
        fails{fact.left, tile::Compare::kGt, fact.bound};
    if (yes.refused && no.refused) return yes;
    if (yes.refused || no.refused) {
      Leaf& kept = yes.refused ? no : yes;
      const tile::Condition& need = yes.refused ? fails : holds;
      requirements_.push_back(need);
      excluded_.push_back({yes.refused ? holds : fails, yes.refused ? *yes.refused : *no.refused});
      --variants_;
      return std::move(kept);
    }
    tile::TileProgram a, b;
    a.name = b.name = "v";
    a.body = yes.body;
    b.body = no.body;
    if (tile::print(a) == tile::print(b)) {
      --variants_;
      return yes;
    }
    Leaf out;
    out.body.push_back(tile::If{{holds}, std::move(yes.body), std::move(no.body)});
    return out;
  }

  const spec::Spec& spec_;
  const ScheduleOptions& options_;
  int variants_ = 0;
  std::vector<tile::Condition> requirements_;
  std::vector<Excluded> excluded_;
};

}  // namespace

Result<Schedule> schedule(const spec::Spec& spec, const ScheduleOptions& options) {
  return Variants(spec, options).run();
}

}  // namespace np::kernel_port::schedule
