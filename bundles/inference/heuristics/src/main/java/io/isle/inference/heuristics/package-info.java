/** Decision points that come with the platform: their rules, and the checks of every answer. */
package io.isle.inference.heuristics;
