/** Runs the agents of all subsystems, on threads as the administrator sets. */
package io.isle.core.agents;
