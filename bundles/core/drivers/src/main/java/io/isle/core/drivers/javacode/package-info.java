/** Drivers in Java: each call of one is bounded, and what it throws is its failure. */
package io.isle.core.drivers.javacode;
