/** The process of a tile, in a JVM of its own. */
package io.isle.net.xdp.host.child;
