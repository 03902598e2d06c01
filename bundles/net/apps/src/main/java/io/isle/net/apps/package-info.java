/**
 * Kinds of apps of nets: echo, drop, pktgen, capture. Each task is a state machine on one port of
 * frames, without threads and clocks.
 */
package io.isle.net.apps;
