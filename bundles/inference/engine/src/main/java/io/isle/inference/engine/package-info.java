/** The engine of inference: deciders of decision points, and the models that answer them. */
package io.isle.inference.engine;
