/**
 * Links, addresses, routes and neighbours of the kernel by rtnetlink: dumps, changes, requests, and
 * the table of routes that tiles read.
 */
package io.isle.net.xdp.netlink;
