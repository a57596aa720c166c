# SPDX-License-Identifier: Apache-2.0
# lockstep_fuzz_target(NAME DEPENDS rooms ...): the target NAME_fuzz.cc of this folder, which defines
# LLVMFuzzerTestOneInput. With LOCKSTEP_FUZZ (preset `fuzz`, clang) it becomes the fuzzer bin/NAME_fuzz; in every other
# build a program that replays corpus/NAME/, which ctest runs with the label `fuzz`.
function(lockstep_fuzz_target name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  set(corpus ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name})
  if(LOCKSTEP_FUZZ)
    add_executable(${name}_fuzz ${name}_fuzz.cc)
    target_link_options(${name}_fuzz PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers ${name}_fuzz)
  else()
    add_executable(${name}_fuzz ${name}_fuzz.cc replay.cc)
    add_test(NAME fuzz.replay.${name} COMMAND ${name}_fuzz ${corpus})
    set_tests_properties(fuzz.replay.${name} PROPERTIES LABELS fuzz TIMEOUT 600)
  endif()
  target_link_libraries(${name}_fuzz PRIVATE ${ARG_DEPENDS})
  target_include_directories(${name}_fuzz PRIVATE ${CMAKE_SOURCE_DIR}/tests)
endfunction()
