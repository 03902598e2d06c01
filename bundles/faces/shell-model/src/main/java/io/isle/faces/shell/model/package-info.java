/** Commands of models: what they do, and what administrators do to them. */
package io.isle.faces.shell.model;
