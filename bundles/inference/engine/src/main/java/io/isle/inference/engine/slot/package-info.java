/** The slots: which model serves a decision, is scored, or has to go. */
package io.isle.inference.engine.slot;
