# np_tree_sitter: the tree-sitter core with the Python and CUDA grammars, compiled from the C sources that scripts/setup.sh
# installs with npm. Always taken from <source>/build/grammars, so that every build folder shares one download.
# Users write `include(TreeSitter)` and link np_tree_sitter; the languages are `tree_sitter_python()` and `tree_sitter_cuda()`.
include_guard(GLOBAL)

set(NP_GRAMMARS ${CMAKE_SOURCE_DIR}/build/grammars/node_modules)
set(NP_TREE_SITTER_CORE ${NP_GRAMMARS}/tree-sitter/vendor/tree-sitter/lib)
set(NP_TREE_SITTER_SOURCES
  ${NP_TREE_SITTER_CORE}/src/lib.c
  ${NP_GRAMMARS}/tree-sitter-python/src/parser.c
  ${NP_GRAMMARS}/tree-sitter-python/src/scanner.c
  ${NP_GRAMMARS}/tree-sitter-cuda/src/parser.c
  ${NP_GRAMMARS}/tree-sitter-cuda/src/scanner.c)

foreach(source ${NP_TREE_SITTER_SOURCES})
  if(NOT EXISTS ${source})
    message(FATAL_ERROR "\"${source}\" is missing: run scripts/setup.sh, which installs the grammar sources")
  endif()
endforeach()

add_library(np_tree_sitter STATIC ${NP_TREE_SITTER_SOURCES})
target_include_directories(np_tree_sitter SYSTEM PUBLIC ${NP_TREE_SITTER_CORE}/include)
target_include_directories(np_tree_sitter PRIVATE ${NP_TREE_SITTER_CORE}/src)
# The grammars are tables: -O1 halves the compile time of 20 MB of them and costs nothing. The core wants the POSIX names.
target_compile_options(np_tree_sitter PRIVATE -w -O1 -fvisibility=hidden)
target_compile_definitions(np_tree_sitter PRIVATE _POSIX_C_SOURCE=200112L _DEFAULT_SOURCE)
set_source_files_properties(${NP_TREE_SITTER_CORE}/src/lib.c TARGET_DIRECTORY np_tree_sitter PROPERTIES COMPILE_OPTIONS -O2)
