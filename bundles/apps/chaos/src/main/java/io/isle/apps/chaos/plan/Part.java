package io.isle.apps.chaos.plan;

/**
 * A bundle that is restarted under load.
 *
 * @param bundle symbolic name
 * @param weight how often, compared with the others
 * @param leaf whether it may also be updated in place: nothing is wired to it
 */
public record Part(String bundle, int weight, boolean leaf) {}
