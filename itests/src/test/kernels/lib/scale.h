#ifndef SCALE_H
#define SCALE_H
typedef struct { float a, b; } pair;
float scaled(float x);
#endif
