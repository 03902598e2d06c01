#include "tile.h"

// One work-group makes the prefix sums of all totals, tile by tile.
kernel void scan_totals(global uint *totals, ulong count, local uint *tile)
{
    uint before = 0;
    for (ulong begin = 0; begin < count; begin += get_local_size(0)) {
        ulong i = begin + get_local_id(0);
        uint sum = before + scan_tile(tile, i < count ? totals[i] : 0);
        if (i < count)
            totals[i] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == get_local_size(0) - 1)
            tile[0] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        before = tile[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
