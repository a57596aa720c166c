// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "io/io_test_support.h"
#include "lockstep/io/safetensors.h"

namespace lockstep {
namespace {

class SafetensorsErrorTest : public FolderTest {
 protected:
  // Opens a file of this header and so many zero bytes of data.
  void expect_refused(const std::string& header, std::size_t data, const std::string& part) {
    const std::uint64_t length = header.size();
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    write_all(file("w"), bytes + header + std::string(data, '\0'));
    expect_error(ErrorKind::kData, part, [&] { SafetensorsFile{file("w")}; });
  }
};

TEST_F(SafetensorsErrorTest, TruncatedFile) {
  const Tensor a = Tensor::from<float>({100}, std::vector<float>(100));
  write_safetensors(file("w"), {{"a", &a}});
  const std::string whole = read_all(file("w"));
  for (const std::size_t kept :
       {whole.size() - 1, whole.size() - 400, std::size_t{20}, std::size_t{7}, std::size_t{0}}) {
    write_all(file("w"), whole.substr(0, kept));
    expect_error(ErrorKind::kData, "w' is truncated: " + std::to_string(kept) + " of ",
                 [&] { SafetensorsFile{file("w")}; });
  }
  write_all(file("w"), whole.substr(0, whole.size() - 1));
  expect_error(ErrorKind::kData, " of " + std::to_string(whole.size()) + " bytes", [&] { SafetensorsFile{file("w")}; });
  write_all(file("w"), whole + "x");
  expect_error(ErrorKind::kData, "has 1 bytes after the last tensor", [&] { SafetensorsFile{file("w")}; });
}

// One bit of each byte of a small file.
TEST_F(SafetensorsErrorTest, AFlippedBitIsFoundWhereverItIs) {
  const Tensor a = Tensor::from<float>({3}, {1, 2, 3});
  write_safetensors(file("w"), {{"a", &a}}, {{"step", "12"}});
  const std::string whole = read_all(file("w"));
  EXPECT_TRUE(SafetensorsFile(file("w")).verify());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    write_all(file("w"), damaged);
    bool passed = false;
    try {
      passed = SafetensorsFile(file("w")).verify();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData) << error.what();
    }
    EXPECT_FALSE(passed) << "byte " << i;
  }
  std::string damaged = whole;
  damaged.back() ^= 1;
  write_all(file("w"), damaged);
  expect_error(ErrorKind::kData, "w' is damaged: its bytes are not those that were written (SHA-256 ",
               [&] { SafetensorsFile(file("w")).verify(); });
}

TEST_F(SafetensorsErrorTest, OtherFiles) {
  write_all(file("p"), "PK\x03\x04 a zip file of PyTorch");
  expect_error(ErrorKind::kData, "is not a safetensors file", [&] { SafetensorsFile{file("p")}; });
  expect_error(ErrorKind::kData, "absent' does not exist", [&] { SafetensorsFile{file("absent")}; });
  expect_error(ErrorKind::kData, "is not a file", [&] { SafetensorsFile{folder_}; });
}

TEST_F(SafetensorsErrorTest, DamagedHeaders) {
  expect_refused(R"({"a":)", 0, "not valid JSON");
  expect_refused(R"([1, 2])", 0, "not a JSON object");
  expect_refused(R"({"a":3})", 0, "tensor 'a': no text under 'dtype'");
  expect_refused(R"({"a":{"dtype":"F99","shape":[],"data_offsets":[0,4]}})", 4, "dtype is 'F99'");
  expect_refused(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4, "whole numbers from 0");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", 4, "list of two whole numbers");
  expect_refused(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4, "F32 [2] takes 8 bytes");
  expect_refused(R"({"a":{"dtype":"F32","shape":[4611686018427387904,16],"data_offsets":[0,4]}})", 4, "can be counted");
  const std::string entry = R"({"dtype":"U8","shape":[2],"data_offsets":[0,2]})";
  expect_refused(R"({"a":)" + entry + R"(,"a":)" + entry + "}", 2, "'a' occurs twice");
  expect_refused(R"({"a":)" + entry + R"(,"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})", 3, "an overlap");
  expect_refused(R"({"a":)" + entry + R"(,"b":{"dtype":"U8","shape":[2],"data_offsets":[3,5]}})", 5, "an unused gap");
  expect_refused(R"({"__metadata__":{"k":1}})", 0, "metadata 'k' is not a text");
}

TEST_F(SafetensorsErrorTest, AbsentNameAndFailedWrite) {
  const Tensor a = Tensor::from<float>({1}, {1});
  write_safetensors(file("w"), {{"conv1.weight", &a}});
  const SafetensorsFile read(file("w"));
  expect_error(ErrorKind::kData, "nearest name is 'conv1.weight'", [&] { read.load("conv1.weigth"); });
  expect_error(ErrorKind::kIo, "No such file", [&] { write_safetensors(file("absent/w"), {{"a", &a}}); });
  expect_error(ErrorKind::kInternal, "'a' is given twice", [&] {
    write_safetensors(file("x"), {{"a", &a}, {"a", &a}});
  });
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace lockstep
