// Launch files speak of f32, i64, bf16 …; C++ of float, long, c10::BFloat16, enums and structs of those. The half types
// are structs in every header set, so they are known by name; everything else follows from the type itself. Struct
// fields are flattened with their offsets, because that is what filling a parameter buffer needs.

#include "analyzer/cuda/worker/param_facts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecordLayout.h"

namespace np::analyzer::worker {
namespace {

constexpr std::size_t kMaxFields = 128;

std::string typeName(clang::QualType type, const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.SuppressTagKeyword = true;
  policy.FullyQualifiedName = true;
  policy.Bool = true;
  return type.getCanonicalType().getAsString(policy);
}

std::string recordScalar(const clang::RecordType& record) {
  const std::string name = record.getDecl()->getQualifiedNameAsString();
  if (name == "__half" || name == "half" || name == "c10::Half" || name == "at::Half") return "f16";
  if (name == "__nv_bfloat16" || name == "nv_bfloat16" || name == "c10::BFloat16" || name == "at::BFloat16")
    return "bf16";
  return {};
}

// "f32" …, or empty when the type is no scalar of launch files.
std::string scalarName(clang::QualType type, const clang::ASTContext& context) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto* record = type->getAs<clang::RecordType>()) return recordScalar(*record);
  if (const auto* enumeration = type->getAs<clang::EnumType>()) {
    const clang::QualType underlying = enumeration->getDecl()->getIntegerType();
    return underlying.isNull() ? std::string() : scalarName(underlying, context);
  }
  if (type->isBooleanType()) return "bool";
  const std::string bits = std::to_string(type->isIncompleteType() ? 0 : context.getTypeSize(type));
  if (type->isHalfType() || type->isFloat16Type()) return "f16";
  if (type->isBFloat16Type()) return "bf16";
  if (type->isRealFloatingType()) return bits == "32" || bits == "64" ? "f" + bits : std::string();
  if (type->isIntegerType() && (bits == "8" || bits == "16" || bits == "32" || bits == "64"))
    return (type->isUnsignedIntegerType() ? "u" : "i") + bits;
  return {};
}

std::string scalarOrName(clang::QualType type, const clang::ASTContext& context) {
  const std::string scalar = scalarName(type, context);
  return scalar.empty() ? typeName(type.getUnqualifiedType(), context) : scalar;
}

void flatten(clang::QualType type, const std::string& name, std::uint64_t offset, const clang::ASTContext& context,
             std::vector<FieldFact>& out);

void flattenRecord(const clang::RecordDecl& record, const std::string& prefix, std::uint64_t offset,
                   const clang::ASTContext& context, std::vector<FieldFact>& out) {
  const clang::ASTRecordLayout& layout = context.getASTRecordLayout(&record);
  if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(&record)) {
    for (const clang::CXXBaseSpecifier& base : cxx->bases()) {
      const auto* parent = base.getType()->getAsCXXRecordDecl();
      if (!parent || base.isVirtual()) continue;
      flattenRecord(*parent, prefix, offset + layout.getBaseClassOffset(parent).getQuantity(), context, out);
    }
  }
  for (const clang::FieldDecl* field : record.fields()) {
    const std::uint64_t at = offset + layout.getFieldOffset(field->getFieldIndex()) / 8;
    const std::string name = field->getNameAsString();
    flatten(field->getType(), prefix.empty() ? name : prefix + "." + name, at, context, out);
  }
}

void flatten(clang::QualType type, const std::string& name, std::uint64_t offset, const clang::ASTContext& context,
             std::vector<FieldFact>& out) {
  if (out.size() >= kMaxFields) return;
  const std::uint64_t size = context.getTypeSizeInChars(type).getQuantity();
  if (const auto* array = context.getAsConstantArrayType(type)) {
    const std::uint64_t step = context.getTypeSizeInChars(array->getElementType()).getQuantity();
    for (std::uint64_t i = 0; i < array->getZExtSize() && out.size() < kMaxFields; ++i)
      flatten(array->getElementType(), name + "[" + std::to_string(i) + "]", offset + i * step, context, out);
    return;
  }
  const auto* record = type->getAs<clang::RecordType>();
  if (record && scalarName(type, context).empty()) return flattenRecord(*record->getDecl(), name, offset, context, out);
  const std::string shown = type->isPointerType() ? "pointer" : scalarOrName(type, context);
  out.push_back({name, shown, offset, size});
}

void describePointer(clang::QualType type, const clang::ASTContext& context, ParamFact& out) {
  const clang::QualType pointee = type->getPointeeType();
  out.kind = ParamKind::Pointer;
  out.is_const = pointee.isConstQualified();
  out.is_restrict = type.isRestrictQualified();
  out.pointee = scalarOrName(pointee, context);
  if (pointee->isIncompleteType() || pointee->isFunctionType()) return;
  out.pointee_size = context.getTypeSizeInChars(pointee).getQuantity();
  const auto* record = pointee->getAs<clang::RecordType>();
  if (record && scalarName(pointee, context).empty()) flattenRecord(*record->getDecl(), "", 0, context, out.fields);
}

std::uint32_t evaluated(const clang::Expr* expression, const clang::ASTContext& context) {
  if (!expression || expression->isValueDependent()) return 0;
  clang::Expr::EvalResult result;
  if (!expression->EvaluateAsInt(result, context)) return 0;
  return static_cast<std::uint32_t>(result.Val.getInt().getLimitedValue(1u << 20));
}

}  // namespace

ParamFact paramFact(const clang::ParmVarDecl& param, clang::ASTContext& context) {
  const clang::QualType type = param.getType();
  ParamFact out;
  out.name = param.getNameAsString();
  out.type = typeName(type, context);
  out.size = context.getTypeSizeInChars(type).getQuantity();
  out.align = context.getTypeAlignInChars(type).getQuantity();
  if (type->isPointerType()) {
    describePointer(type, context, out);
    return out;
  }
  out.scalar = scalarName(type, context);
  if (const auto* record = type->getAs<clang::RecordType>()) {
    out.kind = ParamKind::Struct;
    if (out.scalar.empty()) flattenRecord(*record->getDecl(), "", 0, context, out.fields);
  } else if (type->isRealFloatingType()) {
    out.kind = ParamKind::Float;
  } else {
    out.kind = type->isIntegralOrEnumerationType() ? ParamKind::Integer : ParamKind::Struct;
  }
  return out;
}

LaunchBounds launchBounds(const clang::FunctionDecl& kernel, clang::ASTContext& context) {
  const auto* attribute = kernel.getAttr<clang::CUDALaunchBoundsAttr>();
  if (!attribute) return {};
  return {evaluated(attribute->getMaxThreads(), context), evaluated(attribute->getMinBlocks(), context)};
}

}  // namespace np::analyzer::worker
