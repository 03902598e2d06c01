package io.isle.api.spin;

import java.util.Optional;

/**
 * What became of sources. Immutable.
 *
 * @param image empty if the compiler has refused them
 * @param cached whether the image was built before from the same
 * @param messages of the compiler, without control characters; empty for a cached image
 */
public record HandlerBuild(Optional<HandlerImage> image, boolean cached, String messages) {}
