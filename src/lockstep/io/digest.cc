// SPDX-License-Identifier: Apache-2.0
#include "lockstep/io/digest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>

#include "lockstep/base/check.h"

namespace lockstep {

struct Sha256::Context {
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> evp{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  EVP_MD_CTX* evp = context_->evp.get();
  LS_CHECK(kDevice, evp != nullptr && EVP_DigestInit_ex(evp, EVP_sha256(), nullptr) == 1,
           "cannot start a SHA-256 digest: libcrypto has no memory or no SHA-256");
}

Sha256::~Sha256() = default;

void Sha256::add(const void* bytes, std::size_t count) {
  LS_ASSERT(EVP_DigestUpdate(context_->evp.get(), bytes, count) == 1, "libcrypto refused {} bytes", count);
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> value{};
  unsigned length = 0;
  LS_ASSERT(EVP_DigestFinal_ex(context_->evp.get(), value.data(), &length) == 1, "libcrypto could not end a digest");
  std::string text;
  for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", value[i]);
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.hex();
}

std::string digest(std::vector<std::pair<std::string, const Tensor*>> tensors) {
  std::sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  constexpr std::string_view kEnd("\0", 1);
  Sha256 sum;
  Tensor plain;
  const std::string* before = nullptr;
  for (const auto& [name, tensor] : tensors) {
    LS_ASSERT(before == nullptr || *before != name, "tensor '{}' is given twice for a digest", name);
    before = &name;
    sum.add(name);
    sum.add(kEnd);
    sum.add(fmt::format("{}{}", to_string(tensor->dtype()), to_string(tensor->shape())));
    sum.add(kEnd);
    if (tensor->layout() == Layout::kPlain) {
      sum.add(tensor->raw(), tensor->bytes());
    } else {
      convert_layout(*tensor, Layout::kPlain, plain);
      sum.add(plain.raw(), plain.bytes());
    }
  }
  return sum.hex();
}

}  // namespace lockstep
