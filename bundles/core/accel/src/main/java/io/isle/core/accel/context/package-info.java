/**
 * What a context is, without its submissions: its seat, its memory and its programs. It takes what
 * it uses of its place and of the core as two records, {@link
 * io.isle.core.accel.context.ContextSite} and {@link io.isle.core.accel.context.CoreServices}. Uses
 * {@code admission}.
 */
package io.isle.core.accel.context;
