/** Settings of the engine and of slots. */
package io.isle.inference.engine.settings;
