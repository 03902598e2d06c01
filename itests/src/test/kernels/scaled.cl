#include "lib/scale.h"
float scaled(float x) { return FACTOR * x; }
