/** Relays that impair the path between two nodes on purpose: for tests of rings. */
package io.isle.fabric.impair;
