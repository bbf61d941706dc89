#pragma once
// The ops that the device implements itself: those that make tensors, look at storages or name a place.

#include <torch/library.h>

namespace np::device {

// empty, empty_strided, _efficientzerotensor
void registerFactories(torch::Library& aten);
// as_strided, view and their kin, set_, is_set_to, record_stream
void registerViews(torch::Library& aten);
// copy_, _copy_from, _copy_from_and_resize
void registerCopies(torch::Library& aten);
// scaled dot product attention: the choice of algorithm and the fused pair
void registerAttention(torch::Library& aten);
// LSTM and GRU cells
void registerRnnCells(torch::Library& aten);
// histc of integers
void registerHistogram(torch::Library& aten);
// which ops run in lower precision under torch.autocast("neuron")
void registerAutocast(torch::Library& aten_autocast, torch::Library& any_autocast);

}  // namespace np::device
