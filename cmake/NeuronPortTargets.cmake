# np_library(NAME [LLVM] [CLANG] [TORCH] [DEPS lib...] [EXCLUDE file...])
#   a static library of every .cc beside the CMakeLists.txt that calls it (not of sub-folders).
# np_executable(NAME same arguments [OUTPUT file-name])
# np_test(NAME same arguments)
#   a GoogleTest program of every *_test.cc in the folder, registered with ctest; it runs in the source root and finds
#   the build tree in $NP_BUILD_DIR.
# LLVM and CLANG compile without RTTI, as those libraries are built; such code must not be mixed with thrown exceptions
# that cross into rooms with RTTI.

set(NP_WARNINGS -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -Wno-deprecated-declarations)

function(np_target_common target)
  cmake_parse_arguments(ARG "LLVM;CLANG;TORCH" "OUTPUT" "DEPS;EXCLUDE" ${ARGN})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  target_compile_options(${target} PRIVATE ${NP_WARNINGS})
  target_link_libraries(${target} PUBLIC ${ARG_DEPS})
  if(ARG_LLVM OR ARG_CLANG)
    target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
    target_compile_definitions(${target} PRIVATE ${NP_LLVM_DEFINITIONS})
    target_compile_options(${target} PRIVATE -fno-rtti)
    target_link_libraries(${target} PUBLIC LLVM)
  endif()
  if(ARG_CLANG)
    target_link_libraries(${target} PUBLIC np_clang_cpp)
  endif()
  if(ARG_TORCH)
    target_link_libraries(${target} PUBLIC np_torch_cpu)
  endif()
endfunction()

function(np_sources out pattern)
  cmake_parse_arguments(ARG "LLVM;CLANG;TORCH" "OUTPUT" "DEPS;EXCLUDE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${pattern})
  foreach(excluded ${ARG_EXCLUDE})
    list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/${excluded})
  endforeach()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

function(np_library name)
  np_sources(sources *.cc ${ARGN})
  add_library(${name} STATIC ${sources})
  np_target_common(${name} ${ARGN})
endfunction()

function(np_executable name)
  cmake_parse_arguments(ARG "LLVM;CLANG;TORCH" "OUTPUT" "DEPS;EXCLUDE" ${ARGN})
  np_sources(sources *.cc ${ARGN})
  add_executable(${name} ${sources})
  np_target_common(${name} ${ARGN})
  if(ARG_OUTPUT)
    set_target_properties(${name} PROPERTIES OUTPUT_NAME ${ARG_OUTPUT})
  endif()
endfunction()

function(np_test name)
  np_sources(sources *_test.cc ${ARGN})
  add_executable(${name} ${sources})
  np_target_common(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gtest_main)
  target_compile_options(${name} PRIVATE -O0)  # a test program runs once; compiling it is what costs
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "NP_BUILD_DIR=${CMAKE_BINARY_DIR}")
endfunction()

# np_pytest(NAME PATH... [SLOW]): a pytest run registered with ctest; label "slow" keeps it out of `make test`.
function(np_pytest name)
  cmake_parse_arguments(ARG "SLOW" "" "" ${ARGN})
  add_test(NAME ${name}
           COMMAND ${CMAKE_SOURCE_DIR}/.venv/bin/python -m pytest -q -p no:cacheprovider ${ARG_UNPARSED_ARGUMENTS}
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "NP_BUILD_DIR=${CMAKE_BINARY_DIR};PYTHONDONTWRITEBYTECODE=1")
  if(ARG_SLOW)
    set_tests_properties(${name} PROPERTIES LABELS slow)
  endif()
endfunction()
