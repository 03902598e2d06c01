package io.isle.api.jobs;

/**
 * A job in the history. Immutable.
 *
 * @param id unique within the instance
 * @param job name in the job file
 * @param file path of the job file
 * @param user the user who started the job
 * @param startedMs begin, in milliseconds since 1970
 * @param result result of the job, or its progress
 */
public record JobInfo(
    String id, String job, String file, String user, long startedMs, JobResult result) {}
