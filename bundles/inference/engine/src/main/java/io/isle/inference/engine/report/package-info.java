/** Tells of fallbacks, drifts and decisions: audit, log, listeners, recordings of the JVM. */
package io.isle.inference.engine.report;
