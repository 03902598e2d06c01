/** The built-in stages of workers. */
package io.isle.fabric.ring.stage;
