# SPDX-License-Identifier: Apache-2.0
# Libraries of the distribution; tools/dependencies.txt lists the packages that hold them.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(simdjson REQUIRED)
find_package(pugixml REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo)
pkg_check_modules(JPEG REQUIRED IMPORTED_TARGET libjpeg)
pkg_check_modules(SPNG REQUIRED IMPORTED_TARGET spng)
pkg_check_modules(WEBP REQUIRED IMPORTED_TARGET libwebp)
if(LOCKSTEP_FUZZ)
  return()  # the rooms that read files need no more
endif()
find_package(Protobuf REQUIRED)
find_package(OpenMP REQUIRED)
# The distribution's dnnl-config.cmake asks for OpenCL, which the CPU engine does not need.
find_path(DNNL_INCLUDE_DIR oneapi/dnnl/dnnl.hpp REQUIRED)
find_library(DNNL_LIBRARY dnnl REQUIRED)
add_library(lockstep_dnnl INTERFACE)
target_include_directories(lockstep_dnnl SYSTEM INTERFACE ${DNNL_INCLUDE_DIR})
target_link_libraries(lockstep_dnnl INTERFACE ${DNNL_LIBRARY} OpenMP::OpenMP_CXX)
