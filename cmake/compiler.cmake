# SPDX-License-Identifier: Apache-2.0
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -g1")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# The lockstep law needs the same bits from every build of the same source: no fused
# multiply-add by the compiler's choice and no instruction set taken from the build machine.
add_compile_options(-ffp-contract=off -fno-math-errno -Wall -Wextra -Wshadow -Wnon-virtual-dtor
                    -Woverloaded-virtual -Wimplicit-fallthrough)
# GCC 12 reports -Wrestrict on plain string concatenation (GCC bug 105651) and -Wstringop-overflow
# inside fmt's own buffers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-restrict -Wno-stringop-overflow)
endif()
if(LOCKSTEP_WERROR)
  add_compile_options(-Werror)
endif()
if(LOCKSTEP_FUZZ)
  # Clang 14 has no std::source_location; every source starts with the stand-in.
  add_compile_options(-fsanitize=fuzzer-no-link "SHELL:-include ${CMAKE_SOURCE_DIR}/tools/clang_tidy/source_location.h")
endif()
if(LOCKSTEP_SANITIZE)
  string(REPLACE ";" "," sanitizers "${LOCKSTEP_SANITIZE}")
  add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${sanitizers})
endif()
