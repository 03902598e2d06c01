#include "tile.h"

// Each work-group makes the prefix sums of its part of the numbers, and the part's total.
kernel void scan_tiles(global const uint *numbers, global uint *sums, global uint *totals, ulong n, local uint *tile)
{
    size_t i = get_global_id(0);
    uint sum = scan_tile(tile, i < n ? numbers[i] : 0);
    if (i < n)
        sums[i] = sum;
    if (get_local_id(0) == get_local_size(0) - 1)
        totals[get_group_id(0)] = sum;
}

// Each work-group adds the totals of all parts before its own.
kernel void add_totals(global uint *sums, global const uint *totals, ulong n)
{
    size_t i = get_global_id(0), part = get_group_id(0);
    if (part > 0 && i < n)
        sums[i] += totals[part - 1];
}
