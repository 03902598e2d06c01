/** Verdicts of programs about frames, without an interface. */
package io.isle.net.xdp.judge;
