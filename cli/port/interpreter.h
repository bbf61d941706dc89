// Which Python runs a program of the user's.
#pragma once

#include <string>

#include "cli/port/install.h"

namespace np::cli {

struct Interpreter {
  std::string path;
  std::string why;  // "the active virtual environment"
};

// $NEURON_PORT_PYTHON; else the user's own where it has torch: of $VIRTUAL_ENV, then of PATH; else the installation's.
Interpreter chooseInterpreter(const InstallLayout& layout);

// The full path of a program that PATH finds; empty when it finds none.
std::string onPath(const std::string& name);

}  // namespace np::cli
