/**
 * The components of accelerators and what tenants, groups and administrators see of them. The work
 * is done in packages that know nothing of this one, and each only of those before it: {@code
 * sched}, {@code group}, {@code fence}, {@code usage}; {@code settings}, {@code ids}, {@code
 * memory}, {@code device}; {@code queue}, {@code machine}, {@code agent}; {@code audit}, {@code
 * admission}, {@code timeline}, {@code context}, {@code submit}, {@code managed}.
 */
package io.isle.core.accel;
