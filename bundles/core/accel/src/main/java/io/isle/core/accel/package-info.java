/**
 * Contexts, memory, timelines and the dispatch of submissions to open devices: devices' places,
 * their recovery, and what tenants, groups and administrators see of it. Its parts know nothing of
 * it, and each only of those before it: {@code fence}, {@code group}, {@code sched}; {@code
 * settings}, {@code ids}, {@code usage}, {@code memory}, {@code device}, {@code display}; {@code
 * queue}, {@code machine}, {@code agent}.
 */
package io.isle.core.accel;
