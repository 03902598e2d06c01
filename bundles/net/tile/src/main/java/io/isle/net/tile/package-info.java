/**
 * The tile of a net: moves frames between the rings of the kernel and the links of apps. A state
 * machine without threads and clocks.
 */
package io.isle.net.tile;
