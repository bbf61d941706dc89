// What torch/extension.h brings: tensors, registration, pybind11 and the short name py.
#pragma once
#pragma clang system_header
#include "namespaces.h"
#include "pybind.h"

namespace py = pybind11;
namespace torch {
namespace python {
void init_bindings(PyObject* module);
}
}  // namespace torch
at::Tensor THPVariable_Unpack(PyObject* object);
PyObject* THPVariable_Wrap(const at::Tensor& tensor);
bool THPVariable_Check(PyObject* object);
