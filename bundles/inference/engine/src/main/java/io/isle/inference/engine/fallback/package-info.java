/** When the rule decides in the place of a model, and how the model gets the decision back. */
package io.isle.inference.engine.fallback;
