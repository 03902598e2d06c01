/**
 * The contract suite for drivers: the same cases for a Java driver and for a native one, in the JVM
 * and in a process of its own. Each case stands for one rule of {@code io.isle.api.driver}.
 */
package io.isle.tck;
