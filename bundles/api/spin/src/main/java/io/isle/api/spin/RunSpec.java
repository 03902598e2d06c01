package io.isle.api.spin;

import java.util.Optional;

/**
 * What a run needs beside its packets. Immutable.
 *
 * @param device with the HPUs, such as {@code spin0}; empty for any
 * @param context handlers, rules and memory; its slot has no meaning
 */
public record RunSpec(Optional<String> device, ContextSpec context) {}
