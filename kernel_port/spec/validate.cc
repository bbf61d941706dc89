// What must hold of a Spec before anything else looks at it. The parser checks the same while it reads; a lifter builds
// nodes directly, so the rules are stated here once more, on nodes.
#include <set>

#include "kernel_port/spec/names.h"
#include "kernel_port/spec/text.h"

namespace np::kernel_port::spec {
namespace {

Error bad(std::string message) { return makeError("spec-invalid", std::move(message)); }

Result<void> checkSizeNames(const SizeExpr& size, const std::set<std::string>& sizes, const std::string& where) {
  for (const std::string& name : size.names()) {
    if (!sizes.count(name)) return bad("\"" + name + "\" in " + where + " is not a declared size");
  }
  return {};
}

Result<void> checkNode(const Spec& spec, Expr e, const std::set<std::string>& sizes, const std::string& where) {
  if (e->op == Op::Load) {
    const Buffer* buffer = spec.buffer(e->name);
    if (!buffer) return bad("\"" + e->name + "\" in " + where + " is not a declared buffer");
    if (buffer->type != e->type)
      return bad("\"" + e->name + "\" in " + where + " is read with another type than declared");
    if (buffer->extents.size() != e->dims.size())
      return bad("\"" + e->name + "\" in " + where + " has another number of dimensions");
    if (buffer->role == Role::Out) return bad("\"" + e->name + "\" in " + where + " is read but has role out");
    for (Expr arg : e->args) {
      if (isFloat(arg->type) || arg->type == DType::Bool)
        return bad("an index of \"" + e->name + "\" in " + where + " is not an integer");
    }
  }
  if (e->op == Op::Param) {
    bool found = false;
    for (const Scalar& scalar : spec.scalars) found = found || (scalar.name == e->name && scalar.type == e->type);
    if (!found) return bad("\"" + e->name + "\" in " + where + " is not a declared scalar of that type");
  }
  if (e->op == Op::Size || e->op == Op::Red) NP_TRY(checkSizeNames(e->size, sizes, where));
  for (const Dim& dim : e->dims) {
    if (dim.arg < 0) NP_TRY(checkSizeNames(dim.aff.offset, sizes, where));
  }
  return {};
}

Result<void> checkStmt(const Spec& spec, const Stmt& stmt, const std::set<std::string>& sizes) {
  const std::string where = "the statement of \"" + stmt.out + "\"";
  const Buffer* out = spec.buffer(stmt.out);
  if (!out) return bad(where + " writes a buffer that is not declared");
  if (out->role == Role::In) return bad(where + " writes a buffer of role in");
  if (out->extents.size() != stmt.index.size()) return bad(where + " has another number of indices than the buffer");
  if (stmt.domain.empty() || stmt.domain.size() >= static_cast<size_t>(kBoundAxis))
    return bad(where + " has no domain or one of too many axes");
  if (out->type != stmt.value->type) {
    return bad(where + " gives " + std::string(dtypeName(stmt.value->type)) + " to a buffer of " +
               std::string(dtypeName(out->type)) + ", cast it");
  }
  AxisSet domain = 0;
  for (size_t i = 0; i < stmt.domain.size(); ++i) {
    domain |= axisBit(static_cast<Axis>(i));
    NP_TRY(checkSizeNames(stmt.domain[i], sizes, where));
  }
  AxisSet used = stmt.value->free;
  for (const Aff& aff : stmt.index) {
    used |= aff.axes();
    NP_TRY(checkSizeNames(aff.offset, sizes, where));
  }
  if (used & ~domain) return bad(where + " uses an axis that is not in its domain");
  for (Expr e : postOrder(stmt.value)) NP_TRY(checkNode(spec, e, sizes, where));
  return {};
}

}  // namespace

Result<void> validateSpec(const Spec& spec) {
  const std::set<std::string> sizes(spec.sizes.begin(), spec.sizes.end());
  std::set<std::string> names;
  const auto declare = [&](const std::string& name) -> Result<void> {
    if (isReserved(name)) return bad("\"" + name + "\" is a word of the Spec language, rename it");
    if (!names.insert(name).second) return bad("\"" + name + "\" is declared twice, rename one");
    return {};
  };
  for (const std::string& size : spec.sizes) NP_TRY(declare(size));
  for (const Scalar& scalar : spec.scalars) NP_TRY(declare(scalar.name));
  for (const Buffer& buffer : spec.buffers) {
    NP_TRY(declare(buffer.name));
    if (buffer.extents.empty()) return bad("buffer \"" + buffer.name + "\" has no dimension, give it one of extent 1");
    for (const SizeExpr& extent : buffer.extents)
      NP_TRY(checkSizeNames(extent, sizes, "buffer \"" + buffer.name + "\""));
  }
  for (const SizeCondition& condition : spec.where) {
    NP_TRY(checkSizeNames(condition.left, sizes, "a where line"));
    NP_TRY(checkSizeNames(condition.right, sizes, "a where line"));
  }
  for (const Stmt& stmt : spec.stmts) NP_TRY(checkStmt(spec, stmt, sizes));
  return {};
}

}  // namespace np::kernel_port::spec
