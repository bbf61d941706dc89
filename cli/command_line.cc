// The only file that knows CLI11. A flag or verb that does not exist is an error with the nearest match and exit code
// 2; CLI11 alone would only say that it was not expected.

#include <CLI/CLI.hpp>
#include <map>

#include "analyzer/base/nearest.h"
#include "cli/invocation.h"
#include "cli/version.h"

namespace np::cli {
namespace {

const std::vector<std::string> kFormats = {"text",  "full",   "concise", "json", "jsonl",
                                           "sarif", "github", "gitlab",  "html"};
const std::vector<std::string> kGraphFormats = {"text", "json", "svg"};

CLI::Validator oneOf(const std::vector<std::string>& words, const std::string& what) {
  return CLI::Validator(
      [words, what](std::string& word) -> std::string {
        if (std::find(words.begin(), words.end(), word) != words.end()) return {};
        const auto near = nearest(word, words);
        std::string all;
        for (const std::string& w : words) all += (all.empty() ? "" : ", ") + w;
        return "unknown " + what + " \"" + word + "\"" + (near ? ", did you mean \"" + *near + "\"" : "") +
               " (one of: " + all + ")";
      },
      what);
}

// Lists take one value a flag (comma-separated or repeated), so that paths may follow them.
void addSelection(CLI::App* app, Invocation& inv, std::vector<std::string>& formats) {
  app->add_option("--select", inv.select, "rules to check: ids or prefixes, comma-separated")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("RULES");
  app->add_option("--ignore", inv.ignore, "rules to leave out")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("RULES");
  app->add_option("--extend-select", inv.extend_select, "rules to add to the selection")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("RULES");
  app->add_option("--exclude", inv.exclude, "paths to leave out, gitignore syntax")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("GLOBS");
  app->add_flag("--force-exclude", inv.force_exclude, "exclude also paths named on the command line");
  app->add_option("--since", inv.since, "only files changed since this git revision")->type_name("REV");
  app->add_option("--config", inv.config, "configuration file")->type_name("FILE");
  app->add_flag("--isolated", inv.isolated, "read no configuration file, use no cache");
  app->add_option("--target", inv.target, "accelerator (keeps running on CUDA) or neuron")
      ->check(oneOf({"accelerator", "neuron"}, "target"));
  app->add_option("--fail-on", inv.fail_on, "exit 1 at or above this level")
      ->check(oneOf({"hint", "warning", "error"}, "level"));
  app->add_flag("--exit-zero", inv.exit_zero, "exit 0 whatever is found");
  app->add_flag("--statistics", inv.statistics, "counts by rule");
  app->add_flag("--strict", inv.strict, "turn gaps in coverage into findings");
  app->add_option("--jobs,-j", inv.jobs, "parallel jobs")->check(CLI::Range(1, 256));
  app->add_option("--output-format", formats,
                  "FORMAT[=FILE], repeatable: text full concise json jsonl sarif github gitlab html")
      ->allow_extra_args(false)
      ->type_name("FORMAT");
}

void addKernelOptions(CLI::App* app, Invocation& inv, std::vector<std::string>& formats) {
  app->add_option("file", inv.paths, "CUDA source file")->required()->expected(1)->type_name("FILE.cu");
  app->add_option("--launch", inv.launch_file, "launch file (NAME.launch.json)")->type_name("FILE");
  app->add_option("--only", inv.only, "only this kernel, or the kernels of this host function")->type_name("NAME");
  app->add_option("-I,--include", inv.include_dirs, "include folder")->allow_extra_args(false)->type_name("DIR");
  app->add_option("-D,--define", inv.defines, "macro definition")->allow_extra_args(false)->type_name("NAME[=VALUE]");
  app->add_option("--out-dir", inv.out_dir, "where to write")->type_name("DIR");
  app->add_option("--output-format", formats, "FORMAT[=FILE]: text or json")
      ->allow_extra_args(false)
      ->type_name("FORMAT");
}

// One line under --help that can be typed as it stands.
void addExamples(CLI::App& app) {
  static const std::map<std::string, std::string> kExamples = {
      {"check", "neuron-port check .\n  git show :a.py | neuron-port check - --stdin-filename a.py"},
      {"fix", "neuron-port fix --diff .\n  neuron-port fix --unsafe-fixes .\n  neuron-port fix --undo ."},
      {"kernel", "neuron-port kernel translate softmax.cu --launch softmax.launch.json --out-dir out"},
      {"kernel translate", "neuron-port kernel translate softmax.cu --launch softmax.launch.json --out-dir out"},
      {"kernel run", "neuron-port kernel run softmax.cu --launch softmax.launch.json --engine fast --out-dir out"},
      {"kernel check", "neuron-port kernel check softmax.cu --launch softmax.launch.json"},
      {"port", "neuron-port port . --out-dir ../ported --validate\n  neuron-port port . --git-branch neuron"},
      {"graph", "neuron-port graph .\n  neuron-port graph --output-format svg=ops.svg ."},
      {"run", "neuron-port run -- python train.py\n  neuron-port run --device-report ops.html -- python -m pytest"},
      {"explain", "neuron-port explain NPT3001\n  neuron-port explain torch.cuda.Stream"},
      {"rules", "neuron-port rules --output-format json"},
      {"schema", "neuron-port schema report > report.schema.json"},
      {"doctor", "neuron-port doctor"},
      {"config", "neuron-port config explain src/train.py"},
      {"baseline", "neuron-port baseline create .\n  neuron-port check --baseline neuron-port-baseline.json ."},
      {"baseline create", "neuron-port baseline create ."},
      {"baseline update", "neuron-port baseline update ."},
      {"baseline prune", "neuron-port baseline prune ."},
      {"clean", "neuron-port clean"},
      {"completion", "neuron-port completion bash > ~/.local/share/bash-completion/completions/neuron-port"},
      {"version", "neuron-port version"}};
  const auto set = [](CLI::App* verb, const std::string& name) {
    if (const auto found = kExamples.find(name); found != kExamples.end())
      verb->footer("\nExample:\n  " + found->second);
  };
  app.footer("\nExample:\n  neuron-port check .      (each command has its own --help)");
  for (CLI::App* verb : app.get_subcommands({})) {
    set(verb, verb->get_name());
    for (CLI::App* sub : verb->get_subcommands({})) set(sub, verb->get_name() + " " + sub->get_name());
  }
}

// The words that may follow a command: its own commands and long flags.
std::string wordsOf(const CLI::App& app) {
  std::string out;
  for (const CLI::App* sub : app.get_subcommands({})) out += " " + sub->get_name();
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) out += " --" + name;
  return out.empty() ? out : out.substr(1);
}

// Commands and flags come from the parser's own table; everything else completes as a file name.
std::string completionScript(const CLI::App& app, const std::string& shell) {
  std::string out;
  if (shell == "fish") {
    for (const CLI::App* sub : app.get_subcommands({})) {
      out += "complete -c neuron-port -n __fish_use_subcommand -f -a " + sub->get_name() + " -d '" +
             sub->get_description() + "'\n";
      const std::string words = wordsOf(*sub);
      out += "complete -c neuron-port -n '__fish_seen_subcommand_from " + sub->get_name() + "' -a '" + words + "'\n";
    }
    return out;
  }
  if (shell == "zsh") out += "autoload -U +X bashcompinit && bashcompinit\n";
  out += "_neuron_port() {\n  local words\n  case \"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" in\n";
  for (const CLI::App* sub : app.get_subcommands({})) {
    for (const CLI::App* inner : sub->get_subcommands({}))
      out += "    \"" + sub->get_name() + " " + inner->get_name() + "\") words='" + wordsOf(*inner) + "' ;;\n";
    out += "    \"" + sub->get_name() + " \"*) words='" + wordsOf(*sub) + "' ;;\n";
  }
  out += "    *) words='" + wordsOf(app) + "' ;;\n  esac\n";
  out += "  COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\n";
  out += "complete -o default -F _neuron_port neuron-port\n";
  return out;
}

std::string readableNames(const CLI::App& app) {
  std::string out;
  for (const CLI::App* sub : app.get_subcommands({})) out += (out.empty() ? "" : ", ") + sub->get_name();
  return out;
}

const CLI::App* deepest(const CLI::App* app) {
  for (;;) {
    const auto chosen = app->get_subcommands();
    if (chosen.empty()) return app;
    app = chosen.front();
  }
}

// "unknown flag "--fxi", did you mean "--fix"".
std::string unknownWord(const CLI::App& root, const std::string& word) {
  const CLI::App* app = deepest(&root);
  std::vector<std::string> candidates;
  const bool flag = word.starts_with("-");
  if (flag) {
    for (const CLI::Option* option : app->get_options())
      for (const std::string& name : option->get_lnames()) candidates.push_back("--" + name);
  } else {
    for (const CLI::App* sub : app->get_subcommands({})) candidates.push_back(sub->get_name());
  }
  const std::string bare = word.substr(0, word.find('='));
  const auto near = nearest(bare, candidates);
  std::string out = std::string("unknown ") +
                    (flag                               ? "flag"
                     : app->get_subcommands({}).empty() ? "argument"
                                                        : "command") +
                    " \"" + bare + "\"";
  if (near)
    out += ", did you mean \"" + *near + "\"";
  else if (!flag && !candidates.empty())
    out += " (commands: " + readableNames(*app) + ")";
  return out;
}

bool parseOutputs(const std::vector<std::string>& formats, Invocation& inv, std::string& error) {
  const std::vector<std::string>& known = inv.verb == "graph" ? kGraphFormats : kFormats;
  for (const std::string& entry : formats) {
    const std::size_t equals = entry.find('=');
    OutputRequest request{entry.substr(0, equals), equals == std::string::npos ? "" : entry.substr(equals + 1)};
    if (std::find(known.begin(), known.end(), request.format) == known.end()) {
      const auto near = nearest(request.format, known);
      error = "unknown output format \"" + request.format + "\"" + (near ? ", did you mean \"" + *near + "\"" : "");
      return false;
    }
    inv.outputs.push_back(request);
  }
  if (inv.outputs.empty()) inv.outputs.push_back({"text", ""});
  return true;
}

}  // namespace

ParsedCommandLine parseCommandLine(int argc, const char* const* argv) {
  ParsedCommandLine out;
  Invocation& inv = out.invocation;
  std::vector<std::string> formats;

  CLI::App app{
      "Moves PyTorch + CUDA projects to AWS Trainium: analyse, rewrite, translate kernels with proof, validate.",
      "neuron-port"};
  app.set_version_flag("--version", std::string("neuron-port ") + kVersion);
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "print this help");

  CLI::App* check = app.add_subcommand("check", "scan and report");
  check->add_option("paths", inv.paths, "files or folders, - for standard input")->type_name("PATHS");
  check->add_flag("--fix", inv.fix, "apply the safe fixes");
  check->add_option("--baseline", inv.baseline, "leave out the findings in this file (neuron-port baseline create)")
      ->type_name("FILE");
  check->add_option("--stdin-filename", inv.stdin_filename, "the file that standard input stands for")
      ->type_name("FILE");
  CLI::App* fix = app.add_subcommand("fix", "apply the safe fixes");
  fix->add_option("paths", inv.paths, "files or folders")->type_name("PATHS");
  for (CLI::App* verb : {check, fix}) {
    addSelection(verb, inv, formats);
    verb->add_flag("--unsafe-fixes", inv.unsafe_fixes, "apply also fixes that may change behaviour");
    verb->add_flag("--diff", inv.diff, "show what would change, write nothing");
    verb->add_flag("--allow-dirty", inv.allow_dirty, "also where git has uncommitted changes");
  }
  fix->add_flag("--undo", inv.undo, "take back the last fix");

  CLI::App* kernel = app.add_subcommand("kernel", "translate, run or check CUDA kernels");
  kernel->require_subcommand(1);
  CLI::App* translate = kernel->add_subcommand("translate", "CUDA to NKI, proven or refused");
  CLI::App* run_kernel = kernel->add_subcommand("run", "run a launch file on the CPU executor");
  CLI::App* check_kernel =
      kernel->add_subcommand("check", "run it in checked mode: races, bounds, uninitialised reads");
  for (CLI::App* verb : {translate, run_kernel, check_kernel}) addKernelOptions(verb, inv, formats);
  translate->add_option("--emit", inv.emit, "print this form to standard output")
      ->check(oneOf({"ir", "spec", "tile", "nki"}, "form"));
  run_kernel->add_option("--engine", inv.engine, "checked (default), or fast: compiled, without checks of its own")
      ->check(oneOf({"checked", "fast"}, "engine"));
  run_kernel->add_flag("--trust", inv.trust, "with --engine fast: do not run each case in the checked engine first");
  run_kernel->add_option("--inputs", inv.inputs, "inputs laid out as --out-dir writes them")->type_name("DIR");

  CLI::App* port = app.add_subcommand("port", "port a project: rewritten tree, translated kernels, report");
  port->add_option("dir", inv.paths, "project folder")->required()->expected(1)->type_name("DIR");
  CLI::Option* out_dir =
      port->add_option("--out-dir", inv.out_dir, "where the ported project goes; must not exist or be empty")
          ->type_name("OUT");
  port->add_option("--git-branch", inv.git_branch,
                   "instead of OUT: commit the port to this new branch, in steps; the work tree stays as it is")
      ->type_name("NAME")
      ->excludes(out_dir);
  port->add_flag("--validate", inv.validate, "run the ported project's own tests on the bundled neuron device");
  port->add_option("--test-command", inv.test_command, "what --validate runs instead of \"python -m pytest\"")
      ->type_name("CMD");
  addSelection(port, inv, formats);

  CLI::App* graph = app.add_subcommand("graph", "which Python-visible op reaches which CUDA kernel");
  graph->add_option("paths", inv.paths, "files or folders")->type_name("PATHS");
  graph->add_option("--config", inv.config, "configuration file")->type_name("FILE");
  graph->add_flag("--isolated", inv.isolated, "read no configuration file");
  graph->add_option("--jobs,-j", inv.jobs, "parallel jobs")->check(CLI::Range(1, 256));
  graph->add_option("--output-format", formats, "FORMAT[=FILE], repeatable: text json svg")
      ->allow_extra_args(false)
      ->type_name("FORMAT");

  CLI::App* run =
      app.add_subcommand("run", "run a Python program on the bundled neuron device (stand-in, not Trainium)");
  run->add_option("--device-report", inv.device_report, "write what ran where; .json, .html, else text")
      ->type_name("FILE");
  run->add_option("--policy", inv.policy, "what Trainium hands to the CPU or rejects: warn (default), strict, silent")
      ->check(oneOf({"warn", "strict", "silent"}, "policy"));
  run->add_option("--precision", inv.precision, "exact (default), or device: rounded as Trainium rounds")
      ->check(oneOf({"exact", "device"}, "precision"));
  run->add_option("--streams", inv.streams, "sync (default), async, or chaos: any order the program permits")
      ->check(oneOf({"sync", "async", "chaos"}, "stream mode"));
  run->add_option("--chip", inv.chip, "trn2 (default) or trn3")->check(oneOf({"trn2", "trn3"}, "chip"));
  run->add_option("program", inv.program, "the program and its arguments, after --")->required()->type_name("CMD");
  run->positionals_at_end();

  CLI::App* explain = app.add_subcommand("explain", "a rule's page, or what a CUDA name becomes");
  explain->add_option("subject", inv.subject, "rule id or name, or an API name")->required()->type_name("RULE|API");
  CLI::App* rules = app.add_subcommand("rules", "list the rules");
  CLI::App* schema = app.add_subcommand("schema", "print a JSON Schema");
  schema->add_option("subject", inv.subject, "report, config or launch")
      ->required()
      ->check(oneOf({"report", "config", "launch"}, "schema"));
  CLI::App* doctor = app.add_subcommand("doctor", "check the installation");
  for (CLI::App* verb : {explain, rules, doctor})
    verb->add_option("--output-format", formats, "text or json")->allow_extra_args(false)->type_name("FORMAT");
  CLI::App* config = app.add_subcommand("config", "show the configuration in force");
  config->add_option("subject", inv.subject, "show or explain")
      ->required()
      ->check(oneOf({"show", "explain"}, "config command"));
  config->add_option("path", inv.paths, "the file or folder to ask for; default: here")->type_name("PATH");
  config->add_option("--config", inv.config, "configuration file")->type_name("FILE");
  CLI::App* baseline = app.add_subcommand("baseline", "accept today's findings, report only new ones");
  baseline->require_subcommand(1);
  const std::vector<std::pair<const char*, const char*>> baseline_verbs = {
      {"create", "write all findings of today to a new file"},
      {"update", "write the file anew: today's findings, no others"},
      {"prune", "take out entries whose finding is gone"}};
  for (const auto& [name, what] : baseline_verbs) {
    CLI::App* verb = baseline->add_subcommand(name, what);
    verb->add_option("paths", inv.paths, "files or folders")->type_name("PATHS");
    verb->add_option("--baseline", inv.baseline, "the file; default: neuron-port-baseline.json in the project")
        ->type_name("FILE");
    verb->add_option("--config", inv.config, "configuration file")->type_name("FILE");
    verb->add_flag("--isolated", inv.isolated, "read no configuration file");
    verb->add_option("--jobs,-j", inv.jobs, "parallel jobs")->check(CLI::Range(1, 256));
  }
  app.add_subcommand("clean", "delete the results kept for this project")
      ->add_option("paths", inv.paths, "the project")
      ->type_name("PATH");
  CLI::App* completion = app.add_subcommand("completion", "print completions for a shell");
  completion->add_option("subject", inv.subject, "bash, zsh or fish")
      ->required()
      ->check(oneOf({"bash", "zsh", "fish"}, "shell"));
  app.add_subcommand("version", "print the version");
  addExamples(app);

  const auto fail = [&](const std::string& message) {
    out.done = true;
    out.exit_code = 2;
    out.err = "neuron-port: " + message + "\n";
  };
  try {
    app.parse(argc, const_cast<char**>(argv));
  } catch (const CLI::CallForHelp&) {
    out.done = true;
    out.out = deepest(&app)->help();
    return out;
  } catch (const CLI::CallForVersion&) {
    out.done = true;
    out.out = std::string("neuron-port ") + kVersion + "\n";
    return out;
  } catch (const CLI::ValidationError& error) {  // words that follow were never looked at
    fail(error.what());
    return out;
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> extras = app.remaining(true);
    if (!extras.empty())
      fail(unknownWord(app, extras.front()));
    else if (argc <= 1) {
      fail("no command given (commands: " + readableNames(app) + ")");
      out.err += app.help();
    } else
      fail(error.what());
    return out;
  }

  const CLI::App* chosen = app.get_subcommands().front();
  inv.verb = chosen->get_name();
  if (chosen == kernel || chosen == baseline) inv.verb += " " + chosen->get_subcommands().front()->get_name();
  if (chosen == port && inv.out_dir.empty() && inv.git_branch.empty()) {
    fail("where should the port go? give --out-dir OUT, or --git-branch NAME");
    return out;
  }
  if (chosen == check && !inv.stdin_filename.empty() && (inv.paths.size() != 1 || inv.paths[0] != "-")) {
    fail("--stdin-filename goes with standard input: neuron-port check - --stdin-filename FILE");
    return out;
  }
  if (chosen == completion) {
    out.done = true;
    out.out = completionScript(app, inv.subject);
    return out;
  }
  if (std::string error; !parseOutputs(formats, inv, error)) fail(error);
  return out;
}

}  // namespace np::cli
