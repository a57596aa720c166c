// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/config/config.h"
#include "lockstep/config/value.h"

namespace lockstep {

// Between a Value and the type of a config member. `fit` writes into `out` and returns nullopt, or returns
// what was wanted ("a whole number") and leaves `out` alone. Whole numbers widen to numbers; a number becomes
// a whole number only when nothing is lost; a text is read as a Python literal where the type needs one.
std::optional<std::string> fit(const Value& in, bool& out);
std::optional<std::string> fit(const Value& in, int& out);
std::optional<std::string> fit(const Value& in, std::int64_t& out);
std::optional<std::string> fit(const Value& in, double& out);
std::optional<std::string> fit(const Value& in, std::optional<double>& out);
std::optional<std::string> fit(const Value& in, std::string& out);
std::optional<std::string> fit(const Value& in, TrainingTime& out);
std::optional<std::string> fit(const Value& in, std::vector<TrainingTime>& out);
std::optional<std::string> fit(const Value& in, std::vector<bool>& out);
std::optional<std::string> fit(const Value& in, std::vector<int>& out);
std::optional<std::string> fit(const Value& in, std::vector<std::int64_t>& out);
std::optional<std::string> fit(const Value& in, std::vector<double>& out);
std::optional<std::string> fit(const Value& in, std::vector<std::string>& out);
std::optional<std::string> fit(const Value& in, std::vector<std::vector<double>>& out);
std::optional<std::string> fit(const Value& in, ExpectedResult& out);
std::optional<std::string> fit(const Value& in, std::vector<ExpectedResult>& out);
std::optional<std::string> fit(const Value& in, std::map<std::string, std::string>& out);

Value to_value(bool in);
Value to_value(int in);
Value to_value(std::int64_t in);
Value to_value(double in);
Value to_value(const std::optional<double>& in);
Value to_value(const std::string& in);
Value to_value(const TrainingTime& in);
Value to_value(const std::vector<TrainingTime>& in);
Value to_value(const std::vector<bool>& in);
Value to_value(const std::vector<int>& in);
Value to_value(const std::vector<std::int64_t>& in);
Value to_value(const std::vector<double>& in);
Value to_value(const std::vector<std::string>& in);
Value to_value(const std::vector<std::vector<double>>& in);
Value to_value(const std::vector<ExpectedResult>& in);
Value to_value(const std::map<std::string, std::string>& in);

// The name of a member's type in the reference: "whole number", "list of texts".
std::string type_name(const bool&);
std::string type_name(const int&);
std::string type_name(const std::int64_t&);
std::string type_name(const double&);
std::string type_name(const std::optional<double>&);
std::string type_name(const std::string&);
std::string type_name(const TrainingTime&);
std::string type_name(const std::vector<TrainingTime>&);
std::string type_name(const std::vector<bool>&);
std::string type_name(const std::vector<int>&);
std::string type_name(const std::vector<std::int64_t>&);
std::string type_name(const std::vector<double>&);
std::string type_name(const std::vector<std::string>&);
std::string type_name(const std::vector<std::vector<double>>&);
std::string type_name(const std::vector<ExpectedResult>&);
std::string type_name(const std::map<std::string, std::string>&);

}  // namespace lockstep
