package io.isle.core.drivers.session;

/** A part of a device whose methods choose the lane for each call themselves. */
public interface Routed {}
