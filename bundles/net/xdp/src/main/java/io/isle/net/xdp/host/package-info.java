/** Tiles in processes of their own: start, supervision, and what passes between both sides. */
package io.isle.net.xdp.host;
