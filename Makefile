# make demo      install what is missing, build what the demo needs, port a bundled CUDA project end to end
# make test      install what is missing, build, run the fast part of every test layer
# make test-all  the slow suites too
# make bench     measure, and write docs/benchmarks.md
# make format    clang-format over everything
.PHONY: demo test test-all bench setup configure build format clean

setup:
	@scripts/setup.sh

configure: setup
	@test -f build/build.ninja || cmake --preset release >build/configure.log 2>&1 || (cat build/configure.log; exit 1)

build: configure
	@cmake --build build

demo: configure
	@scripts/demo.sh

test: build
	@ctest --test-dir build --output-on-failure --label-exclude slow -j 2

test-all: build
	@ctest --test-dir build --output-on-failure -j 2

bench: build
	@scripts/bench.sh

format: setup
	@git ls-files '*.cc' '*.h' | xargs clang-format-19 -i

clean:
	@rm -rf build
