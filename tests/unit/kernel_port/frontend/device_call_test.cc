// The table of device calls, row by row.

#include "kernel_port/frontend/device_call.h"

#include <gtest/gtest.h>

namespace np::kernel_port {
namespace {

TEST(DeviceCall, KnownNames) {
  struct Row {
    const char* callee;
    DeviceOp op;
    const char* function = "";
    char rounding = 'n';
    bool fast = false;
    int axis = 0;
  };
  for (const Row& row :
       std::initializer_list<Row>{{"llvm.nvvm.read.ptx.sreg.tid.x", DeviceOp::ThreadId},
                                  {"llvm.nvvm.read.ptx.sreg.nctaid.z", DeviceOp::GridDim, "", 'n', false, 2},
                                  {"llvm.nvvm.barrier0", DeviceOp::Barrier},
                                  {"llvm.nvvm.barrier0.popc", DeviceOp::BarrierCount},
                                  {"llvm.nvvm.shfl.sync.down.f32", DeviceOp::ShuffleDown},
                                  {"llvm.nvvm.shfl.sync.bfly.i32p", DeviceOp::ShuffleXor},
                                  {"llvm.nvvm.activemask", DeviceOp::ActiveMask},
                                  {"llvm.memcpy.p0.p0.i64", DeviceOp::MemCpy},
                                  {"llvm.lifetime.start.p0", DeviceOp::LifetimeStart},
                                  {"llvm.umul.with.overflow.i32", DeviceOp::UMulOverflow},
                                  {"llvm.fma.f64", DeviceOp::Math, "fma"},
                                  {"llvm.maxnum.v2f16", DeviceOp::Math, "fmax"},
                                  {"llvm.trap", DeviceOp::Trap},
                                  {"expf", DeviceOp::Math, "exp"},
                                  {"exp", DeviceOp::Math, "exp"},
                                  {"erf", DeviceOp::Math, "erf"},
                                  {"erff", DeviceOp::Math, "erf"},
                                  {"fmaf", DeviceOp::Math, "fma"},
                                  {"__expf", DeviceOp::Math, "exp", 'n', true},
                                  {"__fdividef", DeviceOp::Math, "fdividef", 'n', true},
                                  {"__powf", DeviceOp::Math, "pow", 'n', true},
                                  {"__fadd_rz", DeviceOp::Math, "add", 'z'},
                                  {"__ddiv_ru", DeviceOp::Math, "div", 'u'},
                                  {"__fmaf_rd", DeviceOp::Math, "fma", 'd'},
                                  {"__fma_rd", DeviceOp::Math, "fma", 'd'},
                                  {"__frsqrt_rn", DeviceOp::Math, "rsqrt"},
                                  {"__float2int_rz", DeviceOp::ToInteger, "int", 'z'},
                                  {"__double2ull_rn", DeviceOp::ToInteger, "ull"},
                                  {"__ll2float_ru", DeviceOp::FromInteger, "ll", 'u'},
                                  {"__double2float_rd", DeviceOp::Narrow, "", 'd'},
                                  {"__sincosf", DeviceOp::MathPointer, "sincos", 'n', true},
                                  {"modff", DeviceOp::MathPointer, "modf"},
                                  {"vprintf", DeviceOp::Printf},
                                  {"__assert_fail", DeviceOp::AssertFail}}) {
    const auto call = classifyDeviceCall(row.callee);
    ASSERT_TRUE(call.has_value()) << row.callee;
    EXPECT_EQ(call->op, row.op) << row.callee;
    EXPECT_EQ(call->function, row.function) << row.callee;
    EXPECT_EQ(call->rounding, row.rounding) << row.callee;
    EXPECT_EQ(call->fast, row.fast) << row.callee;
    EXPECT_EQ(call->axis, row.axis) << row.callee;
  }
}

TEST(DeviceCall, UnknownNamesAreNotGuessed) {
  for (const char* callee : {"", "f", "add", "addf", "mul", "__", "__fadd", "__fadd_rq", "__xadd_rz", "__int2int_rn",
                             "llvm", "llvm.", "llvm.nvvm.", "llvm.nvvm.mma.sync", "llvm.nvvm.shfl.sync.down.i64",
                             "llvm.nvvm.read.ptx.sreg.tid.w", "my_function", "expff", "llvm.masked.load.v4f32"})
    EXPECT_FALSE(classifyDeviceCall(callee).has_value()) << callee;
}

}  // namespace
}  // namespace np::kernel_port
