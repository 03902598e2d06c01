/** The process of a node: a plain JVM without OSGi. */
package io.isle.fabric.ring.process.child;
