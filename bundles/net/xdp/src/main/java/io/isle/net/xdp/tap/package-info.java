/** Captures of nets: the taps of tiles as one port. */
package io.isle.net.xdp.tap;
