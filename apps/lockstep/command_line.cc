// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <cctype>
#include <map>
#include <memory>

#include "lockstep/base/check.h"
#include "lockstep/base/text.h"

namespace lockstep::app {
namespace {

class CommandFormatter : public CLI::Formatter {
 public:
  explicit CommandFormatter(const CommandText& text) : text_(text) { column_width(34); }
  std::string make_usage(const CLI::App* /*command*/, std::string /*name*/) const override {
    return "Usage: lockstep " + text_.form + "\n";
  }
  std::string make_footer(const CLI::App* /*command*/) const override { return "Example:\n  " + text_.example + "\n"; }

 private:
  CommandText text_;
};

// The flags of Detectron2's train_net and what stands for them here.
const std::map<std::string, std::string>& detectron2_flags() {
  static const std::map<std::string, std::string> kFlags = {
      {"--num-gpus", "--workers N"},
      {"--eval-only", "lockstep eval --config-file F --weights W"},
      {"--num-machines", "--workers N, the number of all workers"},
      {"--machine-rank", "--workers N, the number of all workers"},
      {"--dist-url", "--workers N, the number of all workers"},
      {"--opts", "KEY VALUE pairs at the end, without a flag before them"},
  };
  return kFlags;
}

bool is_flag(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '.' && std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

CLI::App& add_command(CLI::App& parent, const CommandText& text) {
  CLI::App* command = parent.add_subcommand(text.name, text.summary);
  command->formatter(std::make_shared<CommandFormatter>(text));
  command->allow_extras();
  return *command;
}

void add_json_flag(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "machine output on stdout, and nothing else there");
}

std::vector<std::string> free_arguments(const CLI::App& command) {
  std::vector<std::string> words = command.remaining();
  for (const std::string& word : words) {
    if (!is_flag(word)) continue;
    const std::string flag = word.substr(0, word.find('='));
    const auto known = detectron2_flags().find(flag);
    LS_CHECK(kConfig, known == detectron2_flags().end(), "{} is a flag of Detectron2; here it is: {}", flag,
             known->second);
    const std::string nearest = nearest_name(flag, flags_of(command));
    LS_THROW(kConfig, "lockstep {} has no flag {}; {}", command.get_name(), flag,
             nearest.empty() ? fmt::format("see lockstep {} --help", command.get_name())
                             : fmt::format("did you mean {}?", nearest));
  }
  return words;
}

void require_no_arguments(const CLI::App& command) {
  const std::vector<std::string> words = free_arguments(command);
  LS_CHECK(kConfig, words.empty(), "lockstep {} has no use for '{}'; see lockstep {} --help", command.get_name(),
           words[0], command.get_name());
}

}  // namespace lockstep::app
