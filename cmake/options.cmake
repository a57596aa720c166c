# SPDX-License-Identifier: Apache-2.0
# Every build option of the project.
option(LOCKSTEP_BUILD_TESTS "Build the test suite" ON)
option(LOCKSTEP_BUILD_BENCH "Build the benchmarks under bench/" OFF)
option(LOCKSTEP_WERROR "Treat compiler warnings as errors" OFF)
set(LOCKSTEP_MPI AUTO CACHE STRING "Training over several processes: AUTO (when MPI is there), ON or OFF")
option(LOCKSTEP_FUZZ "Build only the fuzz targets and the rooms that read files, with clang and libFuzzer" OFF)
set(LOCKSTEP_SANITIZE "" CACHE STRING "Sanitizers to build with: empty, address;undefined or thread")
