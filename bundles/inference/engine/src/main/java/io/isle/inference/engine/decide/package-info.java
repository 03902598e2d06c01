/** The data path: deciders, their rings, and guarded calls of models. No allocation, no locks. */
package io.isle.inference.engine.decide;
