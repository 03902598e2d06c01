/** Processes that attach to a net as apps: a socket file, its messages, memory that is lent. */
package io.isle.net.xdp.attach;
