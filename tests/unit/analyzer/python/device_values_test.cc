// Device values: what the argument of the last `probe(…)` of main.py may be, and how it got there.

#include <gtest/gtest.h>

#include <map>

#include "analyzer/python/calls.h"
#include "analyzer/python/device_values.h"
#include "analyzer/python/project_names.h"

namespace np::analyzer::python {
namespace {

using Files = std::map<std::string, std::string>;

struct Probe {
  explicit Probe(Files files) {
    for (auto& [path, code] : files) texts.emplace(path, SourceText(path, code));
    std::vector<const SourceText*> all;
    for (const auto& [path, text] : texts) all.push_back(&text);
    project = std::make_unique<ProjectNames>(all);
    module = std::make_unique<Module>(std::move(*Module::parse(texts.at("main.py"), project.get())));
    const SyntaxTree& tree = module->tree();
    for (NodeId id = 0; id < tree.nodes().size(); ++id)
      if (tree.is(id, Kind::Call) && module->slice(tree.child(id, Field::Function)) == "probe")
        node = tree.firstChild(tree.child(id, Field::Arguments));
  }
  DeviceValue value() const { return DeviceValues(*module, project.get()).of(node); }
  std::string shown() const { return toString(value()); }
  std::string trace() const {
    std::string out;
    for (const Related& step : value().trace)
      out += step.path + ":" + std::to_string(step.start.line) + " " + step.message + "\n";
    return out;
  }
  DeviceFlow flow() const { return DeviceValues(*module, project.get()).flowOf(node); }

  std::map<std::string, SourceText> texts;
  std::unique_ptr<ProjectNames> project;
  std::unique_ptr<Module> module;
  NodeId node = kNoNode;
};

std::string shown(const std::string& code) { return Probe({{"main.py", "import torch, os\n" + code}}).shown(); }

struct Case {
  const char* code;
  const char* value;
};

TEST(DeviceValue, OfOneFile) {
  const Case cases[] = {
      {"probe('cuda')", "cuda"},
      {"probe('cuda:1')", "cuda:1"},
      {"probe(f'cuda:{i}')", "cuda"},
      {"probe('cuda:%d' % i)", "cuda"},
      {"probe('cuda:' + str(i))", "cuda"},
      {"probe('cuda:{}'.format(i))", "cuda"},
      {"probe('cudagraph')", "unknown"},
      {"probe('cpu: 3 cores')", "unknown"},
      {"probe(None)", "unset"},
      {"probe(torch.device('cuda', 2))", "cuda:2"},
      {"probe(torch.device('cuda', rank))", "cuda"},
      {"probe(torch.device(0))", "cuda:0"},
      {"probe(torch.device(type='cuda'))", "cuda"},
      {"probe('cuda' if torch.cuda.is_available() else 'cpu')", "cpu, cuda"},
      {"probe(x.device)", "same-as"},
      {"probe(next(m.parameters()).device)", "same-as"},
      {"probe(torch.accelerator.current_accelerator(check_available=True) or torch.device('cuda'))",
       "cuda, accelerator"},
      {"probe(os.environ.get('DEVICE', 'cuda'))", "cuda, from-config"},
      {"probe(os.environ['DEVICE'])", "from-config"},
      {"device = 'cuda'\nprobe(device)", "cuda"},
      {"device = 'cuda'\ndevice = torch.device(device)\nprobe(device)", "cuda"},
      {"device = torch.device('cuda')\ndef f():\n    probe(device.type)", "cuda"},
      {"if a:\n    d = 'cuda:0'\nelse:\n    d = 'cpu'\nprobe(d)", "cpu, cuda:0"},
      {"if a:\n    d = 'cuda:0'\nelse:\n    d = 'cuda:1'\nprobe(d)", "cuda"},
      {"d = None\ndef init():\n    global d\n    d = 'cuda'\nprobe(d)", "unset, cuda"},
      {"def f():\n    d = 'cpu'\n    def g():\n        nonlocal d\n        d = 'cuda'\n    probe(d)", "cpu, cuda"},
      {"def f(device='cuda'):\n    probe(device)", "cuda, unknown"},
      {"def f(device: str = 'cuda'):\n    probe(device)", "cuda, unknown"},
      {"def f(device):\n    probe(device)\nf('cuda:3')", "cuda:3, unknown"},
      {"def f(x, device=None):\n    probe(device)\nf(1, device='cuda')", "unset, cuda, unknown"},
      {"g = lambda device='cuda': probe(device)", "cuda, unknown"},
      {"[probe(d) for d in ['cuda']]", "unknown"},
      {"def pick():\n    if a:\n        return torch.device('cuda')\n    return 'cpu'\nprobe(pick())", "cpu, cuda"},
      {"class A:\n    def __init__(self):\n        self.device = 'cuda'\n    def run(self):\n        "
       "probe(self.device)",
       "cuda"},
      {"class A:\n    def a(self, d):\n        self.d = d or 'cuda'\n    def b(self):\n        self.d = None\n    def "
       "run(self):\n        probe(self.d)",
       "unset, cuda, unknown"},
      {"class A:\n    device = 'cuda'\nprobe(A().device)", "cuda"},
      {"class A:\n    device: str = 'cuda'\ncfg = A(device='cpu')\nprobe(cfg.device)", "cpu, cuda"},
      {"class B:\n    def __init__(self):\n        self.device = 'cuda'\nclass A(B):\n    def run(self):\n        "
       "probe(self.device)",
       "cuda"},
      {"class A:\n    def __init__(self, device='cuda'):\n        self.dev = torch.device(device)\n    @property\n    "
       "def device(self):\n        return self.dev\n    def run(self):\n        probe(self.device)",
       "cuda, unknown"},
      {"class A:\n    def __init__(self, device):\n        self.device = device\n    def run(self):\n        "
       "probe(self.device)\nA('cuda')",
       "cuda, unknown"},
      {"from dataclasses import dataclass, field\n@dataclass\nclass C:\n    device: str = field(default='cuda')\ndef "
       "f(c: C):\n    probe(c.device)",
       "cuda"},
      {"import argparse\np = argparse.ArgumentParser()\np.add_argument('--device', '-d', default='cuda')\nargs = "
       "p.parse_args()\nprobe(torch.device(args.device))",
       "cuda, from-config"},
      {"p.add_argument('-d', '--dev-ice', default='cuda')\nprobe(args.dev_ice)", "cuda, from-config"},
      {"p.add_argument('-d', dest='where', default='cuda:0')\nprobe(args.where)", "cuda:0, from-config"},
      {"p.set_defaults(device='cuda')\nprobe(args.device)", "cuda, from-config"},
      {"import click\n@click.option('--device', default='cuda')\ndef main(device):\n    probe(device)",
       "cuda, from-config, unknown"},
      {"import typer\ndef main(device: str = typer.Option('cuda')):\n    probe(device)", "cuda, from-config, unknown"},
      {"from absl import flags\nflags.DEFINE_string('device', 'cuda', 'help')\nFLAGS = "
       "flags.FLAGS\nprobe(FLAGS.device)",
       "cuda, from-config"},
      {"probe(cfg['train']['device'])", "from-config"},
      {"probe(config.get('device', 'cuda'))", "cuda, from-config"},
      {"probe(getattr(args, 'device', 'cuda'))", "cuda, from-config"},
      {"table = {'device': 'cuda', 'n': 1}\nprobe(table['device'])", "cuda, unknown"},
      {"from accelerate import Accelerator\nacc = Accelerator()\nprobe(acc.device)", "accelerator"},
      {"if (d := 'cuda'):\n    probe(d)", "cuda"},
      {"probe(unknown_thing)", "unknown"},
      {"a = b\nb = a\nprobe(a)", "unknown"},
  };
  for (const Case& c : cases) EXPECT_EQ(shown(c.code), c.value) << c.code;
}

TEST(DeviceValue, OfOtherFiles) {
  const Files common = {
      {"pkg/__init__.py", "from .config import DEVICE, pick\nfrom .base import *\n"},
      {"pkg/config.py",
       "import torch\nDEVICE = torch.device('cuda:1')\ndef pick():\n    return 'cuda'\n"
       "class Config:\n    device: str = 'cuda'\nLATER = DEVICE\n"},
      {"pkg/base.py",
       "import torch\nclass Base:\n    def __init__(self):\n        self.device = 'cuda'\nSTAR = 'cuda'\n"
       "_HIDDEN = 'cuda'\n"},
      {"pkg/loop_a.py", "from .loop_b import X\n"},
      {"pkg/loop_b.py", "from .loop_a import X\nfrom .loop_a import *\n"},
  };
  const Case cases[] = {
      {"from pkg.config import DEVICE\nprobe(DEVICE)", "cuda:1"},
      {"from pkg import DEVICE as D\nprobe(D)", "cuda:1"},
      {"import pkg.config as c\nprobe(c.DEVICE)", "cuda:1"},
      {"import pkg\nprobe(pkg.config.LATER)", "cuda:1"},
      {"from pkg import pick\nprobe(pick())", "cuda"},
      {"from pkg.config import Config\ncfg = Config()\nprobe(cfg.device)", "cuda"},
      {"from pkg.config import Config\ndef f(cfg: Config):\n    probe(cfg.device)", "cuda"},
      {"from pkg import Base\nclass A(Base):\n    def run(self):\n        probe(self.device)", "cuda"},
      {"from pkg import *\nprobe(STAR)", "cuda"},
      {"from pkg.base import *\nprobe(_HIDDEN)", "unknown"},
      {"from pkg.loop_a import X\nprobe(X)", "unknown"},
      {"from other import DEVICE\nprobe(DEVICE)", "unknown"},
      {"try:\n    from pkg.config import DEVICE\nexcept ImportError:\n    DEVICE = 'cpu'\nprobe(DEVICE)",
       "cpu, cuda:1"},
  };
  for (const Case& c : cases) {
    Files files = common;
    files["main.py"] = c.code;
    EXPECT_EQ(Probe(files).shown(), c.value) << c.code;
  }
}

TEST(DeviceValue, TraceLeadsFromTheOriginToThePlace) {
  const Probe probe({{"main.py",
                      "from conf import Config\n"
                      "class A:\n"
                      "    def __init__(self, cfg: Config):\n"
                      "        self.device = cfg.device\n"
                      "    def run(self):\n"
                      "        probe(self.device)\n"},
                     {"conf.py", "class Config:\n    device: str = \"cuda\"\n"}});
  EXPECT_EQ(probe.trace(),
            "conf.py:2 \"cuda\" is written here\n"
            "conf.py:2 assigned to \"device\"\n"
            "main.py:4 \"conf.Config.device\" is read from another file\n"
            "main.py:4 assigned to \"self.device\"\n");
}

TEST(DeviceFlow, JoinsWhatHandsTheValueOn) {
  const Probe probe({{"main.py",
                      "import torch\n"
                      "def pick():\n"
                      "    return 'cuda'\n"
                      "class A:\n"
                      "    def __init__(self, device='cuda'):\n"
                      "        self.device = torch.device(device)\n"
                      "    def run(self, x):\n"
                      "        if self.device.type == 'cuda': pass\n"
                      "        return x.to(self.device)\n"
                      "a = A(pick())\n"
                      "A(device='cuda:0')\n"
                      "probe(a.device)\n"}});
  const DeviceFlow flow = probe.flow();
  EXPECT_EQ(flow.sources.size(), 3u);  // returned, default, passed by keyword
  EXPECT_EQ(flow.sinks.size(), 3u);    // comparison, to, probe
  EXPECT_EQ(probe.module->slice(flow.escape), "a.device");
  EXPECT_FALSE(flow.name.empty());
  for (NodeId source : flow.sources)
    EXPECT_EQ(DeviceValues(*probe.module).flowOf(source).name, flow.name) << probe.module->slice(source);
}

TEST(DeviceFlow, KnowsWhenOnlyTorchReadsIt) {
  const Probe inside({{"main.py",
                       "import torch\nd = 'cuda'\nx = torch.zeros(1, device=d)\ny = x.to(d)\ndef probe(device):\n"
                       "    return torch.device(device)\nprobe(d)\n"}});
  EXPECT_EQ(inside.flow().escape, kNoNode);
  const Probe outside({{"main.py", "import torch\nd = 'cuda'\nx.to(d)\nlog(d)\nprobe(d)\n"}});
  EXPECT_FALSE(outside.flow().onlyRead());
}

TEST(ProjectNames, FollowsReExports) {
  const Probe p({{"main.py", "probe(1)"},
                 {"pkg/__init__.py", "from .compat import *\nfrom . import sub\n"},
                 {"pkg/compat.py",
                  "import torch\nfrom torch.cuda.amp import autocast\n__all__ = ['autocast', 'torch']\nHERE = 1\n"},
                 {"pkg/sub/__init__.py", "from ..compat import autocast as ac, HERE\n"},
                 {"pkg/sub/deep.py", ""}});
  const ProjectNames& names = *p.project;
  EXPECT_EQ(names.canonicalName("main.py", "pkg.autocast"), "torch.cuda.amp.autocast");
  EXPECT_EQ(names.canonicalName("main.py", "pkg.torch.cuda.synchronize"), "torch.cuda.synchronize");
  EXPECT_EQ(names.canonicalName("pkg/sub/deep.py", ".ac"), "torch.cuda.amp.autocast");
  EXPECT_EQ(names.canonicalName("pkg/sub/deep.py", "..compat.autocast"), "torch.cuda.amp.autocast");
  EXPECT_EQ(names.canonicalName("pkg/sub/deep.py", ".HERE"), "pkg.compat.HERE");
  EXPECT_EQ(names.canonicalName("main.py", "numpy.zeros"), "numpy.zeros");
  EXPECT_EQ(names.canonicalName("main.py", "pkg.HERE"), "pkg.HERE");  // not in __all__
  EXPECT_EQ(names.fileOf("pkg/sub/deep.py", "..compat"), "pkg/compat.py");
  EXPECT_EQ(names.fileOf("main.py", "compat"), "");  // not where Python would look
}

TEST(ProjectNames, StarImportsBringNames) {
  const Probe p({{"main.py", "from common import *\ntorch.cuda.synchronize()\nprint(len)\nprobe(torch)\n"},
                 {"common.py", "import torch\n"}});
  std::vector<std::string> uses;
  for (const ApiUse& use : findApiUses(*p.module)) uses.push_back(use.name);
  EXPECT_EQ(uses, (std::vector<std::string>{"torch.cuda.synchronize", "torch"}));
}

}  // namespace
}  // namespace np::analyzer::python
