/** Arithmetic of job files: numbers as they are written, and formulas over names. */
package io.isle.apps.jobs.formula;
