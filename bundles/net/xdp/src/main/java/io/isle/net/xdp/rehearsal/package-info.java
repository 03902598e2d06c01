/** Code of tiles gets warm on a net in memory, before the first frame of a real net. */
package io.isle.net.xdp.rehearsal;
