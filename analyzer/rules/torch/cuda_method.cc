// NPT3002 cuda-method
//
// `.cuda()` of a tensor or module becomes `.to(` the current accelerator `)`. It is `safe` when the file itself shows
// that the receiver is torch's; otherwise it might be some other class's method, and the fix is `unsafe`. Without an
// accelerator the new code leaves the data on the CPU, where the old code raised.
//
// No fix: an index or device argument (on Neuron it names a core), an overridden `cuda` method, `map_location` lambdas.

#include "analyzer/python/value_types.h"
#include "analyzer/rules/torch/fix_builder.h"
#include "analyzer/rules/torch/places.h"
#include "analyzer/rules/torch/rules.h"

namespace np::analyzer {
namespace {

using python::Argument;
using python::Field;
using python::Kind;
using python::kNoNode;
using python::NodeId;

constexpr const char* kRule = "NPT3002";

// `super().cuda()` and `self.cuda()` speak of the class itself.
bool isOwnMethod(const RuleInput& input, NodeId receiver) {
  const std::string text = textOf(input, receiver);
  return text == "self" || text == "cls" || text.starts_with("super(");
}

struct Shape {
  bool fixable = true;
  NodeId device = kNoNode;  // a literal index 0, or the number of the current device, that goes away
  bool has_others = false;  // arguments that stay
};

Shape shapeOf(const RuleInput& input, NodeId call) {
  Shape shape;
  for (const Argument& argument : python::argumentsOf(input.module, call)) {
    if (argument.name == "non_blocking" || argument.name == "memory_format") {
      shape.has_others = true;
    } else if ((argument.name.empty() || argument.name == "device") && shape.device == kNoNode &&
               (textOf(input, argument.value) == "0" || becomesCurrentDevice(input, textOf(input, argument.value)))) {
      shape.device = argument.node;
    } else {
      shape.fixable = false;
    }
  }
  return shape;
}

void offerFix(const RuleInput& input, NodeId call, Finding& finding) {
  const python::SyntaxTree& tree = input.module.tree();
  const Shape shape = shapeOf(input, call);
  const NodeId callee = tree.child(call, Field::Function), list = tree.child(call, Field::Arguments);
  if (!shape.fixable || !tree.is(list, Kind::ArgumentList)) {
    finding.notes.push_back("the argument names one device; on neuron a process owns one logical core");
    return;
  }
  const bool known = python::valueType(input.module, tree.child(callee, Field::Object)) != python::ValueType::Unknown;
  const bool safe = known && shape.device == kNoNode && !runsAtImport(input, call) && !insideTry(input, call);
  FixBuilder fix(input, safe ? FixSafety::Safe : FixSafety::Unsafe, "move to the current accelerator");
  const std::string device = fix.deviceArgument(call);
  fix.replace(tree.child(callee, Field::Attribute), "to");
  if (shape.device != kNoNode) {
    fix.replace(shape.device, device);
  } else {
    fix.insert(tree[list].range.start + 1, device + (shape.has_others ? ", " : ""), call);
  }
  std::move(fix).addTo(finding);
}

bool insideMapLocation(const RuleInput& input, NodeId node) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId lambda = tree.ancestor(node, Kind::Lambda);
  if (lambda == kNoNode || !tree.is(tree[lambda].parent, Kind::KeywordArgument)) return false;
  return textOf(input, tree.child(tree[lambda].parent, Field::Name)) == "map_location";
}

// `map(model.cuda, xs)`, `apply(fn=x.cuda)`: the method is passed, not called. An attribute of that name may be a flag
// (`args.cuda`), so the receiver must be known to be torch's, or the callee must be one that applies functions.
bool isPassedMethod(const RuleInput& input, NodeId attribute) {
  const python::SyntaxTree& tree = input.module.tree();
  const NodeId name = tree.child(attribute, Field::Attribute), parent = tree[attribute].parent;
  if (name == kNoNode || input.module.slice(name) != "cuda" || !input.imports_torch) return false;
  if (!input.module.qualifiedName(attribute).empty()) return false;
  const bool passed = tree.is(parent, Kind::ArgumentList) || tree.is(parent, Kind::KeywordArgument);
  const bool kept = (tree.is(parent, Kind::Assignment) && tree[attribute].field == Field::Right) ||
                    tree.is(parent, Kind::ReturnStatement);
  if (!passed && !kept) return false;
  const NodeId receiver = tree.child(attribute, Field::Object);
  if (python::valueType(input.module, receiver) != python::ValueType::Unknown) return true;
  if (!tree.is(parent, Kind::ArgumentList)) return false;
  const std::string callee = textOf(input, tree.child(tree[parent].parent, Field::Function));
  return callee == "map" || callee == "apply" || callee.ends_with("tree_map") || callee.ends_with("_apply");
}

}  // namespace

void cudaMethod(const RuleInput& input, FileFindings& out) {
  const python::SyntaxTree& tree = input.module.tree();
  for (NodeId id = 0; id < tree.nodes().size() && !out.full(); ++id) {
    if (!tree.is(id, Kind::Call) || python::methodName(input.module, id) != "cuda") continue;
    const NodeId callee = tree.child(id, Field::Function);
    if (!input.module.qualifiedName(callee).empty() || insideMapLocation(input, id)) continue;
    const NodeId receiver = tree.child(callee, Field::Object);
    const bool own = isOwnMethod(input, receiver);
    Finding& finding = out.add(kRule, tree.child(callee, Field::Attribute), textOf(input, id),
                               own ? "moves to CUDA by the class's own method; see where it is defined"
                                   : "moves to CUDA; move to the current accelerator");
    if (!own) offerFix(input, id, finding);
  }
  for (NodeId id : input.attributes)
    if (!out.full() && isPassedMethod(input, id))
      out.add(kRule, tree.child(id, Field::Attribute), textOf(input, id),
              "hands the method on; give a function that moves to the current accelerator");
  // `map(torch.Tensor.cuda, xs)`
  for (const python::ApiUse& use : input.uses)
    if (use.name == "torch.Tensor.cuda" || use.name == "torch.nn.Module.cuda")
      out.add(kRule, use.node, textOf(input, use.node), "moves to CUDA; move to the current accelerator");
}

}  // namespace np::analyzer
