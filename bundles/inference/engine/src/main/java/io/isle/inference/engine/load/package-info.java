/** From a file to a model in memory: proof, keys, and the first runs. */
package io.isle.inference.engine.load;
