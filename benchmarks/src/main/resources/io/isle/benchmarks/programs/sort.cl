// Bitonic sort of pairs (key, value), ascending by key, then by value. A work-group sorts or merges a tile in local memory.
#define TILE 1024

static void order(uint2 *a, uint2 *b, bool ascending)
{
    uint2 x = *a, y = *b;
    bool greater = x.x > y.x || (x.x == y.x && x.y > y.y);
    *a = greater == ascending ? y : x;
    *b = greater == ascending ? x : y;
}

// The first of the two elements that a work item compares at a distance of 2^j.
static uint first(uint item, uint j)
{
    return ((item >> j) << (j + 1)) | (item & ((1u << j) - 1));
}

static void merge(local uint2 *tile, uint base, uint k)
{
    uint item = get_local_id(0);
    for (int j = min(k, 10u) - 1; j >= 0; j--) {
        uint at = first(item, j);
        uint2 a = tile[at], b = tile[at + (1u << j)];
        order(&a, &b, ((base + at) >> k & 1) == 0);
        tile[at] = a;
        tile[at + (1u << j)] = b;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

static void load(local uint2 *tile, global const uint2 *pairs, uint base)
{
    uint item = get_local_id(0);
    tile[item] = pairs[base + item];
    tile[item + TILE / 2] = pairs[base + item + TILE / 2];
    barrier(CLK_LOCAL_MEM_FENCE);
}

static void store(local const uint2 *tile, global uint2 *pairs, uint base)
{
    uint item = get_local_id(0);
    pairs[base + item] = tile[item];
    pairs[base + item + TILE / 2] = tile[item + TILE / 2];
}

// Each tile sorted, in turn ascending and descending.
kernel __attribute__((reqd_work_group_size(TILE / 2, 1, 1)))
void sort_tiles(global uint2 *pairs)
{
    local uint2 tile[TILE];
    uint base = get_group_id(0) * TILE;
    load(tile, pairs, base);
    for (uint k = 1; k <= 10; k++)
        merge(tile, base, k);
    store(tile, pairs, base);
}

// Stage k at a distance of 2^j, which is a tile or more.
kernel void exchange(global uint2 *pairs, uint k, uint j)
{
    uint at = first(get_global_id(0), j);
    uint2 a = pairs[at], b = pairs[at + (1u << j)];
    order(&a, &b, (at >> k & 1) == 0);
    pairs[at] = a;
    pairs[at + (1u << j)] = b;
}

// The rest of stage k, within tiles.
kernel __attribute__((reqd_work_group_size(TILE / 2, 1, 1)))
void merge_tiles(global uint2 *pairs, uint k)
{
    local uint2 tile[TILE];
    uint base = get_group_id(0) * TILE;
    load(tile, pairs, base);
    merge(tile, base, k);
    store(tile, pairs, base);
}
