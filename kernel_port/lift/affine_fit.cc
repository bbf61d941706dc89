// Differences between neighbouring elements give the strides; where elements at the border differ in kind (padding), a
// pair from the middle is the better witness, so several pairs are tried and the map that explains most points is kept.
#include "kernel_port/lift/affine_fit.h"

#include <map>

namespace np::kernel_port::lift {

namespace {

bool explains(const AffineMap& map, const Point& point) {
  for (size_t q = 0; q < map.base.size(); ++q) {
    int64_t v = map.base[q];
    for (size_t d = 0; d < map.stride.size(); ++d) v += point.index[d] * map.stride[d][q];
    if (v != point.instance->vector[q]) return false;
  }
  return true;
}

// The map through `anchor` with strides from the neighbour pair of each dimension that is nearest to it in the list.
AffineMap mapThrough(const std::vector<Point>& points, const std::map<IntVector, size_t>& where, size_t anchor,
                     size_t rank) {
  size_t width = points[anchor].instance->vector.size();
  AffineMap map{points[anchor].instance->vector, std::vector<IntVector>(rank, IntVector(width, 0)),
                points[anchor].index, std::vector<bool>(rank, false), 0};
  for (size_t d = 0; d < rank; ++d) {
    for (size_t step = 0; step < points.size(); ++step) {
      const Point& p = points[(anchor + step) % points.size()];
      IntVector next = p.index;
      ++next[d];
      auto it = where.find(next);
      if (it == where.end()) continue;
      for (size_t q = 0; q < width; ++q)
        map.stride[d][q] = points[it->second].instance->vector[q] - p.instance->vector[q];
      map.known[d] = true;
      break;
    }
    for (size_t q = 0; q < width; ++q) map.base[q] -= points[anchor].index[d] * map.stride[d][q];
  }
  for (const Point& p : points) map.explained += explains(map, p) ? 1 : 0;
  return map;
}

}  // namespace

AffineMap fitAffine(const std::vector<Point>& points, const std::vector<int64_t>& extents) {
  std::map<IntVector, size_t> where;
  for (size_t i = 0; i < points.size(); ++i) where.emplace(points[i].index, i);
  AffineMap best;
  for (size_t anchor : {size_t{0}, points.size() / 2, points.size() / 3, points.size() - 1}) {
    AffineMap map = mapThrough(points, where, anchor, extents.size());
    if (best.base.empty() || map.explained > best.explained) best = std::move(map);
    if (best.explained == points.size()) break;
  }
  return best;
}

Result<std::vector<spec::Aff>> fitOverSizes(const std::vector<AffineMap>& maps, const SizeFit& sizes) {
  std::vector<spec::Aff> out;
  auto shown = [](const std::vector<int64_t>& values) {
    std::string text;
    for (int64_t v : values) text += (text.empty() ? "" : ", ") + std::to_string(v);
    return text;
  };
  for (size_t q = 0; q < maps[0].base.size(); ++q) {
    spec::Aff aff;
    std::vector<int64_t> bases;
    for (const AffineMap& map : maps) bases.push_back(map.base[q]);
    for (size_t d = 0; d < maps[0].stride.size(); ++d) {
      std::vector<int64_t> strides;
      for (const AffineMap& map : maps)
        if (map.known[d]) strides.push_back(map.stride[d][q]);
      for (int64_t s : strides)
        if (s != strides[0])
          return makeError("NPT2908", "an index moves by a step that depends on the sizes (" + shown(strides) +
                                          "), split the buffer's extent in the launch file into more dimensions");
      if (strides.empty() || strides[0] == 0) continue;
      aff.terms.emplace_back(static_cast<spec::Axis>(d), strides[0]);
      for (size_t m = 0; m < maps.size(); ++m)
        if (!maps[m].known[d]) bases[m] -= maps[m].anchor[d] * strides[0];
    }
    auto base = sizes.fit(bases);
    if (!base) return makeError("NPT2908", "no expression of the sizes gives (" + shown(bases) + ")");
    aff.offset = *base;
    out.push_back(std::move(aff));
  }
  return out;
}

}  // namespace np::kernel_port::lift
