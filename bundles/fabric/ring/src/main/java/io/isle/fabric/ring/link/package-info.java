/**
 * Links to neighbours: the port of a link and the thread that drives it, and the packets of each
 * dialect on each kind of port.
 */
package io.isle.fabric.ring.link;
