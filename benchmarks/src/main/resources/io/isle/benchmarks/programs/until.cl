// A plate that settles: relax sets the flag in each turn that changes a cell by more than 0.001.

kernel void reset(global uint *changed)
{
    changed[0] = 0;
}

kernel void relax(global const float *now, global float *next, global uint *changed)
{
    size_t x = get_global_id(0), y = get_global_id(1), columns = get_global_size(0), rows = get_global_size(1), at = y * columns + x;
    float old = now[at], mean = old;
    if (x > 0 && y > 0 && x < columns - 1 && y < rows - 1)
        mean = ((now[at - columns] + now[at + columns]) + (now[at - 1] + now[at + 1])) * 0.25f;
    next[at] = mean;
    if (fabs(mean - old) > 0.001f)
        changed[0] = 1;
}
