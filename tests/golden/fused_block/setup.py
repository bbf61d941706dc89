from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    name="fused_block",
    version="0.3.0",
    packages=["fused_block"],
    ext_modules=[
        CUDAExtension(
            name="fused_block._C",
            sources=["csrc/ops.cpp", "csrc/bias_gelu.cu", "csrc/scaled_softmax.cu"],
            extra_compile_args={"cxx": ["-O3"], "nvcc": ["-O3", "--use_fast_math"]},
        )
    ],
    cmdclass={"build_ext": BuildExtension},
    python_requires=">=3.9",
    install_requires=["torch>=2.6"],
)
