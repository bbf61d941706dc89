// The few names of the Python C API that extension sources mention.
#pragma once
#pragma clang system_header
#include "np_torch/pybind.h"

#define PyMODINIT_FUNC extern "C" PyObject*
struct PyMethodDef;
struct PyModuleDef_Base {};
#define PyModuleDef_HEAD_INIT \
  {                           \
  }
struct PyModuleDef {
  PyModuleDef_Base m_base;
  const char* m_name;
  const char* m_doc;
  ssize_t m_size;
  PyMethodDef* m_methods;
};
extern "C" PyObject* PyModule_Create(PyModuleDef* definition);
