// The inclusive prefix sums of the values of a work-group's items; tile has two values for each item.
static inline uint scan_tile(local uint *tile, uint value)
{
    uint item = get_local_id(0), size = get_local_size(0), from = 0, to = size;
    tile[item] = value;
    for (uint distance = 1; distance < size; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[to + item] = tile[from + item] + (item >= distance ? tile[from + item - distance] : 0);
        uint last = from;
        from = to;
        to = last;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return tile[from + item];
}
