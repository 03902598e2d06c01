/** Whether the features of calls are as in the training. */
package io.isle.inference.engine.distribution;
