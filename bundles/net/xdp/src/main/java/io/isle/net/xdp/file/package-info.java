/** Ports of frames on capture files. */
package io.isle.net.xdp.file;
