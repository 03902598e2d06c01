/**
 * Keeps Karaf 4.4's role checks working on a JDK without a security manager.
 *
 * <p>Karaf finds the user of a command with {@code
 * Subject.getSubject(AccessController.getContext())}, which throws since JDK 24. The agent
 * redirects it to {@link javax.security.auth.Subject#current()}, whose binding lives in a scoped
 * value: it ends with the call that made it and no thread inherits it. The two places where Karaf
 * moves a user's work to another thread, the console and Gogo's pipes, carry the subject over
 * explicitly. Where a hand-over is missed the command runs without any role: the failure is a
 * refusal, never a gained right.
 *
 * <p>Besides, a command that a role may not run is refused by its name, of which Karaf says that
 * there is none, and this is told to a logger; and options of Isle's commands may stand after their
 * arguments, which Karaf does not allow. The ssh server forwards nothing, and a command's failure
 * is one line of the log.
 */
package io.isle.karaf.agent;
