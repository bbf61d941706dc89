// Broken texts from good ones: a deterministic mutator that knows a little Python.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace np::fuzz {

class Mutator {
 public:
  // The same seed gives the same texts on every machine.
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  // One to eight changes to one of `seeds`: bytes, tokens, lines and pieces of another seed.
  std::string next(const std::vector<std::string>& seeds) {
    std::string text = seeds[below(seeds.size())];
    const std::size_t changes = 1 + below(8);
    for (std::size_t i = 0; i < changes; ++i) change(text, seeds);
    if (text.size() > kLongest) text.resize(kLongest);
    return text;
  }

 private:
  static constexpr std::size_t kLongest = 20000;

  // std::uniform_int_distribution differs between libraries; this does not.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  void change(std::string& text, const std::vector<std::string>& seeds) {
    static constexpr std::string_view kTokens[] = {"\"cuda\"",
                                                   "'cuda:0'",
                                                   "f\"cuda:{",
                                                   "}",
                                                   "(",
                                                   ")",
                                                   "[",
                                                   "]",
                                                   "{",
                                                   "\"\"\"",
                                                   "'''",
                                                   "\\",
                                                   "\n",
                                                   "\r",
                                                   "\r\n",
                                                   "\t",
                                                   "    ",
                                                   ":",
                                                   ",",
                                                   ";",
                                                   "=",
                                                   ":=",
                                                   "->",
                                                   "**",
                                                   "*",
                                                   "@",
                                                   ".",
                                                   "...",
                                                   "lambda: ",
                                                   "def f(device='cuda'):\n",
                                                   "class A(B):\n",
                                                   "if torch.cuda.is_available():\n",
                                                   "else:\n",
                                                   "return ",
                                                   "self.",
                                                   "self.device = ",
                                                   ".cuda()",
                                                   ".to(",
                                                   "import torch\n",
                                                   "from .x import *\n",
                                                   "from torch import cuda as c\n",
                                                   "global device\n",
                                                   "nonlocal device\n",
                                                   "async ",
                                                   "await ",
                                                   "yield ",
                                                   "match x:\n",
                                                   "case _:\n",
                                                   "print 'x'\n",
                                                   "exec x\n",
                                                   "`",
                                                   "$",
                                                   "\xEF\xBB\xBF",
                                                   "\xFF",
                                                   "\xC3\xA9",
                                                   "\xF0\x9F\x98\x80",
                                                   "# neuron-port: ignore\n",
                                                   "# noqa: NPT3001\n",
                                                   "0x",
                                                   "1e",
                                                   "10L",
                                                   "not ",
                                                   " if ",
                                                   " else ",
                                                   " for x in ",
                                                   " or ",
                                                   "with torch.cuda.amp.autocast():\n",
                                                   "try:\n",
                                                   "except:\n",
                                                   "del device\n",
                                                   "device",
                                                   "torch",
                                                   "args.device",
                                                   "nccl",
                                                   "\f",
                                                   "\v"};
    const std::size_t at = below(text.size() + 1);
    switch (below(9)) {
      case 0:
        text.insert(at, kTokens[below(std::size(kTokens))]);
        break;
      case 1:
        text.erase(at, 1 + below(20));
        break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 3: {  // a piece of another seed
        const std::string& other = seeds[below(seeds.size())];
        const std::size_t from = below(other.size() + 1);
        text.insert(at, other.substr(from, 1 + below(200)));
        break;
      }
      case 4: {  // a line twice
        const std::size_t start = text.rfind('\n', at) + 1;
        const std::size_t end = std::min(text.find('\n', start), text.size());
        text.insert(start, text.substr(start, end - start) + "\n");
        break;
      }
      case 5:
        text.resize(at);
        break;
      case 6: {  // deep nesting
        static constexpr std::string_view kOpen[] = {"(", "[", "{", "not ", "-", "f(", "a.", "lambda: ", "if a:\n "};
        const std::string_view open = kOpen[below(std::size(kOpen))];
        std::string nest;
        for (std::size_t i = 0, n = below(300); i < n; ++i) nest += open;
        text.insert(at, nest);
        break;
      }
      case 7:  // other indentation
        if (const std::size_t line = text.find('\n', at); line != std::string::npos)
          text.insert(line + 1, std::string(below(9), below(2) ? ' ' : '\t'));
        break;
      default: {  // a token instead of a word
        const std::size_t end = text.find_first_of(" \n(.,)", at);
        text.replace(at, end == std::string::npos ? text.size() - at : end - at, kTokens[below(std::size(kTokens))]);
      }
    }
  }

  std::mt19937 random_;
};

}  // namespace np::fuzz
