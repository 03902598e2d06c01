/** What passes between the platform and the process of a tile. */
package io.isle.net.xdp.host.wire;
