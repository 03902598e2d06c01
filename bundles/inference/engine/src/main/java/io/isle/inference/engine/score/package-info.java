/** How well models decide, beside the rule on the same decisions. */
package io.isle.inference.engine.score;
