/** What slots keep over restarts: files of models, and what was decided about them. */
package io.isle.inference.engine.store;
