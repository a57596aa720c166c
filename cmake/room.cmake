# SPDX-License-Identifier: Apache-2.0
# lockstep_room(NAME SOURCES a.cc ... DEPENDS rooms and libraries ...): one static library per room.
function(lockstep_room name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(lockstep_${name} STATIC ${ARG_SOURCES})
  target_include_directories(lockstep_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(lockstep_${name} PUBLIC ${ARG_DEPENDS})
endfunction()

# lockstep_test(NAME SOURCES a_test.cc ... DEPENDS ... [LABELS ...]): one test program per room, each case a test
# of ctest labelled `unit` unless told otherwise. Tests find the project's own files under LOCKSTEP_SOURCE_DIR.
function(lockstep_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LABELS" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(LOCKSTEP_SANITIZE)
    set(timeout 1800)
  else()
    set(timeout 600)
  endif()
  add_executable(${name}_test ${ARG_SOURCES})
  target_link_libraries(${name}_test PRIVATE ${ARG_DEPENDS} GTest::gmock GTest::gtest_main)
  target_include_directories(${name}_test PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${name}_test PRIVATE LOCKSTEP_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  # Tests call the optimised rooms; optimising the tests themselves costs build time only.
  target_compile_options(${name}_test PRIVATE -O1)
  gtest_discover_tests(${name}_test DISCOVERY_MODE PRE_TEST PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${timeout})
endfunction()
