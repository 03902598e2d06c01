// One turn of diffusion: each cell becomes the mean of its four neighbours; the cells of the edge keep their values. A work-group copies its
// tile and one row or column around it to local memory, so that each cell is read once from the buffer.
#ifndef TILE
#define TILE 16
#endif

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void diffuse(global const float *now, global float *next, uint rows, uint columns)
{
    local float tile[TILE + 2][TILE + 2];
    int column = get_global_id(0), row = get_global_id(1), x = get_local_id(0), y = get_local_id(1);
    int left = column - x - 1, top = row - y - 1;
    for (int i = y * TILE + x; i < (TILE + 2) * (TILE + 2); i += TILE * TILE) {
        int from_row = clamp(top + i / (TILE + 2), 0, (int)rows - 1), from_column = clamp(left + i % (TILE + 2), 0, (int)columns - 1);
        tile[i / (TILE + 2)][i % (TILE + 2)] = now[(size_t)from_row * columns + from_column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row >= (int)rows || column >= (int)columns)
        return;
    float mean = ((tile[y][x + 1] + tile[y + 2][x + 1]) + (tile[y + 1][x] + tile[y + 1][x + 2])) * 0.25f;
    bool edge = row == 0 || column == 0 || row == (int)rows - 1 || column == (int)columns - 1;
    next[(size_t)row * columns + column] = edge ? tile[y + 1][x + 1] : mean;
}
