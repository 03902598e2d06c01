/** Settings of interfaces for nets: how they are, their change, and the way back. */
package io.isle.net.xdp.configure;
